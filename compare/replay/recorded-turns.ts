/** Recorded messages as turns, so that a scripted model can play them again. */
import { createReadStream } from 'node:fs'
import type { JsonObject, MessageInput } from 'throughline'
import { readDataset } from '../../bench/datasets/read-dataset.ts'
import { typedMessage } from '../../bench/origin/typed-texts.ts'
import { readConversations } from '../../bench/read-conversations.ts'
import {
  contentText,
  parsedInput,
} from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import { type Conversation, type Step, stepCall, type Turn } from '../made/turns.ts'

interface Recorded {
  readonly id: string
  readonly system: string
  readonly messages: readonly MessageInput[]
}

/** The longest conversation of a file. */
export async function dataConversation(file: string): Promise<Conversation> {
  const all = await readConversations(readDataset(createReadStream(file), { name: file }))
  const [longest] = all.toSorted((one, other) => other.messages.length - one.messages.length)
  if (longest === undefined) throw new Error(`no conversation in ${file}`)
  return { ...recordedTurns(longest), questions: [] }
}

export function recordedTurns({ id, system, messages }: Recorded): Omit<Conversation, 'questions'> {
  const results = new Map<string, string>()
  for (const { content } of messages)
    for (const part of typeof content === 'string' ? [] : content)
      if (part.type === 'tool-result') results.set(part.callId, contentText([part]))
  const turns: Turn[] = []
  let group: MessageInput[] = []
  const close = () => {
    const turn = turnOf(group, results)
    if (turn !== null) turns.push(turn)
    group = []
  }
  for (const message of messages) {
    const isNext = message.role === 'user' && group.some(({ role }) => role === 'assistant')
    if (isNext) close()
    group.push(message)
  }
  close()
  const names = new Set(
    turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls.map(({ name }) => name))),
  )
  return { id, system, tools: [...(names.size === 0 ? ['none'] : names)].map(openTool), turns }
}

function openTool(name: string) {
  return {
    name,
    description: `Runs "${name}".`,
    parameters: { type: 'object', properties: {}, additionalProperties: true },
  }
}

/** Null without a text of the user, such as at the start of a conversation that was continued. */
function turnOf(group: readonly MessageInput[], results: ReadonlyMap<string, string>): Turn | null {
  const users = group.filter(({ role }) => role === 'user')
  const text = users
    .map(({ content }) => contentText(content))
    .filter((each) => each.trim() !== '')
    .join('\n\n')
  const answers = group.filter(({ role }) => role === 'assistant')
  if (text === '' || answers.length === 0) return null
  const steps = answers.map((message) => stepOf(message, results))
  const last = steps.at(-1)
  const isFinal = last !== undefined && last.calls.length === 0
  return {
    text,
    typed: users.flatMap((message) => typedIn(message)),
    at: users.at(-1)?.createdAt ?? null,
    // A text between calls belongs to the next step.
    steps: steps.slice(0, isFinal ? -1 : undefined).filter(({ calls }) => calls.length > 0),
    reply: (isFinal ? last.text : '') || 'Done.',
  }
}

function typedIn(message: MessageInput): readonly string[] {
  return message.raw === undefined ? [contentText(message.content)] : typedMessage(message).typed
}

function stepOf({ content }: MessageInput, results: ReadonlyMap<string, string>): Step {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call'
        ? [
            stepCall(
              safeName(part.name),
              inputOf(part.input),
              results.get(part.callId) || 'No result.',
            ),
          ]
        : [],
    ),
  }
}

function inputOf(input: unknown): JsonObject {
  const value = parsedInput(input)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return (isObject ? value : { value: String(value ?? '') }) as JsonObject
}

function safeName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'tool'
}
