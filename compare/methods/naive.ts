/** Methods of a few lines, for comparison: what anybody writes first. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { recallBaselines } from '../../bench/recall/baselines.ts'
import { identifiersOf } from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import { chatLoop } from '../chat-loop.ts'
import type { ChatMessage, Opening, OpenSession } from '../session.ts'

/** The messages in memory, each also a line of a file. */
export interface Log {
  readonly messages: ChatMessage[]
  readonly tokens: number[]
}

type Show = (log: Log, room: number) => readonly ChatMessage[]

export function naive(show: Show): OpenSession {
  return async (opening) => {
    const log = openLog(opening)
    const head = [{ role: 'system', content: opening.system } as const]
    const room = opening.windowTokens * 0.9 - tokensOf(opening.system) - tokensOf(opening.tools)
    return chatLoop(opening, {
      append: log.append,
      shown: () => [...head, ...show(log, room)],
    })
  }
}

export function openLog({
  folder,
}: Opening): Log & { append(messages: readonly ChatMessage[]): void } {
  const file = join(folder, 'messages.jsonl')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const messages: ChatMessage[] = lines.map((line) => JSON.parse(line))
  const tokens = messages.map(tokensOf)
  const append = (added: readonly ChatMessage[]) => {
    appendFileSync(file, added.map((message) => `${JSON.stringify(message)}\n`).join(''))
    for (const message of added) {
      messages.push(message)
      tokens.push(tokensOf(message))
    }
  }
  return { messages, tokens, append }
}

export function tokensOf(value: unknown): number {
  return countTokens(typeof value === 'string' ? value : JSON.stringify(value), {
    allowedSpecial: 'all',
  })
}

/** The first place from which the messages fit; a result is not shown without its call. */
export function tailFrom({ messages, tokens }: Log, room: number): number {
  let left = room
  let from = messages.length
  while (from > 0 && left >= (tokens[from - 1] ?? 0)) {
    from -= 1
    left -= tokens[from] ?? 0
  }
  while (messages[from]?.role === 'tool') from += 1
  return from
}

const slidingWindow: Show = (log, room) => log.messages.slice(tailFrom(log, room))

/** The newest messages in three quarters of the room, and the newest names of the others in the last quarter. */
const tailAndNames: Show = (log, room) => {
  const from = tailFrom(log, room * 0.75)
  if (from === 0) return log.messages
  const names = new Set<string>()
  let left = room * 0.25
  for (let at = from - 1; at >= 0 && left > 0; at -= 1)
    for (const name of namesIn(log.messages[at])) {
      if (names.has(name) || left < 0) continue
      names.add(name)
      left -= tokensOf(` ${name}`)
    }
  return [
    { role: 'system', content: `Names in earlier messages: ${[...names].join(' ')}` },
    ...log.messages.slice(from),
  ]
}

const known = new WeakMap<ChatMessage, ReadonlySet<string>>()

function namesIn(message: ChatMessage | undefined): ReadonlySet<string> {
  if (message === undefined) return new Set()
  const names = known.get(message) ?? identifiersOf(JSON.stringify(message), '')
  known.set(message, names)
  return names
}

export const full = naive(({ messages }) => messages)
export const sliding = naive(slidingWindow)
export const names = naive(tailAndNames)

/** Half newest messages, half hits of BM25 for the newest user message; it reads the whole log. */
export const bm25 = naive((log, room) => {
  const from = tailFrom(log, room / 2)
  if (from === 0) return log.messages
  const question = log.messages.findLast(({ role }) => role === 'user')
  const found = foundFor(log, question ?? null, room)
  const hits = [...found].filter((place) => place < from).sort((one, other) => one - other)
  const quotes = hits.map((place) => log.messages[place]?.content ?? '')
  return [
    { role: 'system', content: `Earlier messages that may matter:\n\n${quotes.join('\n\n')}` },
    ...log.messages.slice(from),
  ]
})

const foundByQuestion = new WeakMap<ChatMessage, ReadonlySet<number>>()

/** Searched once per user message. */
function foundFor(log: Log, question: ChatMessage | null, room: number): ReadonlySet<number> {
  if (question === null) return new Set()
  const found =
    foundByQuestion.get(question) ??
    recallBaselines['bm25']?.(searched(log), question.content ?? '', room) ??
    new Set()
  foundByQuestion.set(question, found)
  return found
}

/** With only the fields that BM25 reads. */
function searched({ messages, tokens }: Log) {
  const read = messages.map(({ content }, seq) => ({
    seq,
    author: null,
    parts: [{ type: 'text', text: content ?? '', metadata: null }],
  }))
  return { messages: read as never, tokens }
}

/** Only the current turn: the least that any request shows. */
export const floor = naive(({ messages }) =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'user')),
)
