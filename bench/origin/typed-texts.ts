/**
 * What people typed in a session of Claude Code, from the flags of its raw records: the truth that
 * contexts are compared with. It shares no code with the product's recognition of origins.
 */
import type { MessageInput } from 'throughline'

export interface TypedMessage {
  /** What people typed in it; empty for everything else. */
  readonly typed: readonly string[]
  /** The ids of calls that the user rejected, from their results. */
  readonly rejected: readonly string[]
}

const nothing: TypedMessage = { typed: [], rejected: [] }

export function typedMessage({ raw }: MessageInput): TypedMessage {
  if (typeof raw !== 'string') return nothing
  const record = JSON.parse(raw) as Fields
  if (record['type'] !== 'user' || flags.some((flag) => record[flag] === true)) return nothing
  const content = fieldsOf(record['message'])['content']
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
  const read = blocks.map((block) => readBlock(fieldsOf(block)))
  return {
    typed: read.flatMap(({ typed }) => typed),
    rejected: read.flatMap(({ rejected }) => rejected),
  }
}

type Fields = Readonly<Record<string, unknown>>

const flags = ['isMeta', 'isCompactSummary', 'isSidechain']
const markup =
  /^\s*(?:<(?:command-name|command-message|local-command-stdout|local-command-stderr|local-command-caveat|task-notification|system-reminder|bash-stdout|bash-stderr|user-prompt-submit-hook)\b|\[Request interrupted by user|Stop hook feedback:|Operation stopped by hook:|Caveat: The messages below|This session is being continued from a previous conversation)/

function readBlock(block: Fields): TypedMessage {
  if (block['type'] === 'text') return { ...nothing, typed: typedIn(String(block['text'])) }
  if (block['type'] !== 'tool_result') return nothing
  const text = textOf(block['content'])
  if (/^The user doesn't want to (?:proceed|take this action)/.test(text)) {
    const [, reason] = /the user said:\n([\s\S]*)$/.exec(text) ?? []
    return { typed: typedReason(reason), rejected: [String(block['tool_use_id'])] }
  }
  if (!text.startsWith('User has answered your questions:')) return nothing
  const answers = [...text.matchAll(/"="([\s\S]*?)"(?=, "|\. You can now)/g)]
  return { ...nothing, typed: answers.map(([, answer = '']) => answer) }
}

/** The client words a wish to talk about its questions; only answers in it were chosen by the user. */
function typedReason(reason: string | undefined): readonly string[] {
  if (!reason?.startsWith('The user wants to clarify these questions.'))
    return reason === undefined ? [] : [reason]
  return [...reason.matchAll(/^ {2}Answer: (.+)$/gm)].map(([, answer = '']) => answer)
}

function typedIn(text: string): readonly string[] {
  const [, typed] = /<command-args>([\s\S]*?)<\/command-args>/.exec(text) ?? []
  if (typed !== undefined) return typed.trim() === '' ? [] : [typed]
  const plain = text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
  return plain.trim() === '' || markup.test(plain) ? [] : [plain]
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((block) => String(fieldsOf(block)['text'] ?? ''))
    .join('\n')
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
