/**
 * Made-up requests of clients in their wire formats, with what a person typed in them: the same shapes
 * as recorded traffic, in words of our own.
 */
import type { MessageInput } from 'throughline'
import {
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from 'throughline/adapters'
import { seededRandom } from '../../harness/kernel/chance.ts'

export interface MadeTraffic {
  readonly client: string
  readonly messages: readonly MessageInput[]
  /** What people typed in each message; empty for other messages. */
  readonly typed: readonly (readonly string[])[]
}

type Pick = <Item>(items: readonly Item[]) => Item

const typedTexts = [
  'Move the lamp to the north wall and keep the old bracket.',
  'Why does <yard> fail when the gate is open?',
  'No, use the small ladder.\nThe big one stays in the shed.',
  'Run it again, please. Never touch the barrel.',
  '<div>This is the markup</div> that I mean, fix it.',
  '# Notes\n\n- paint the fence\n- oil the hinge\n\nDo both.',
]

const replies = ['I will do that.', 'Done: the bracket is on the north wall.']

interface Spoken {
  readonly text: string
  readonly typed: readonly string[]
}

const inserted: Readonly<Record<string, (pick: Pick) => readonly Spoken[]>> = {
  'Claude Code': (pick) => [
    { text: '<system-reminder>\nToday is a made-up day.\n</system-reminder>', typed: [] },
    { text: '[Request interrupted by user]', typed: [] },
    { text: '<task-notification>\nJob 3 ended.\n</task-notification>', typed: [] },
    { text: '<local-command-stdout>Bye!</local-command-stdout>', typed: [] },
    { text: 'Stop hook feedback:\nThe hinge is not oiled.', typed: [] },
    commandWith(pick(typedTexts)),
  ],
  Codex: () => [
    { text: '<environment_context>\n  <cwd>/yard</cwd>\n</environment_context>', typed: [] },
    {
      text: '# AGENTS.md instructions for /yard\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>',
      typed: [],
    },
    { text: '<turn_aborted>\n  <reason>interrupted</reason>\n</turn_aborted>', typed: [] },
  ],
  opencode: () => [{ text: 'Generate a title for this conversation:\n', typed: [] }],
  'Gemini CLI': () => [
    { text: '<session_context>\nThis is a made-up context.\n</session_context>', typed: [] },
  ],
}

function commandWith(args: string): Spoken {
  const text = `<command-message>plan</command-message>\n<command-name>/plan</command-name>\n<command-args>${args}</command-args>`
  return { text, typed: [args] }
}

const readers: Readonly<Record<string, (turns: readonly Turn[]) => readonly MessageInput[]>> = {
  'Claude Code': (turns) =>
    anthropicMessages.read({
      messages: turns.map(({ role, texts }) => ({
        role,
        content: texts.map((text) => ({ type: 'text', text })),
      })),
    }).messages,
  Codex: (turns) =>
    openaiResponses.read({
      input: turns.map(({ role, texts }) => ({
        type: 'message',
        role,
        content: texts.map((text) => ({
          type: role === 'user' ? 'input_text' : 'output_text',
          text,
        })),
      })),
    }).messages,
  opencode: (turns) =>
    openaiChat.read({
      messages: turns.map(({ role, texts }) => ({
        role,
        content: texts.map((text) => ({ type: 'text', text })),
      })),
    }).messages,
  'Gemini CLI': (turns) =>
    geminiContents.read({
      contents: turns.map(({ role, texts }) => ({
        role: role === 'user' ? 'user' : 'model',
        parts: texts.map((text) => ({ text })),
      })),
    }).messages,
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly texts: readonly string[]
  readonly typed: readonly string[]
}

export function madeTraffic(seed: string, conversations: number): readonly MadeTraffic[] {
  const random = seededRandom(seed)
  const pick: Pick = (items) => items[random(items.length)] ?? (items[0] as (typeof items)[number])
  return Object.entries(readers).flatMap(([client, read]) =>
    Array.from({ length: conversations }, () => {
      const turns = Array.from({ length: 20 }, (_, index) => turnOf(client, index, pick))
      return { client, messages: read(turns), typed: turns.map(({ typed }) => typed) }
    }),
  )
}

function turnOf(client: string, index: number, pick: Pick): Turn {
  if (index % 2 === 1) return { role: 'assistant', texts: [pick(replies)], typed: [] }
  const words = pick(typedTexts)
  const other = pick(inserted[client]?.(pick) ?? [])
  const spoken: Spoken = { text: words, typed: [words] }
  const parts = pick([[spoken], [other], [other, spoken], [spoken, other]])
  // The part after a command is its text, so nothing typed follows one.
  const isSafe = !parts.some(({ text }, at) => text.startsWith('<command') && at < parts.length - 1)
  const kept = isSafe ? parts : [spoken]
  return {
    role: 'user',
    texts: kept.map(({ text }) => text),
    typed: kept.flatMap(({ typed }) => typed),
  }
}
