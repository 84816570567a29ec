/** Expands an anchor into its whole messages, a page at a time. */
import { defaults } from '../defaults-data.ts'
import { loadConversation, recordRequest } from '../derived/state.ts'
import type { Seq } from '../domain/ids.ts'
import type { LedgerEntry } from '../domain/ledger.ts'
import type { Message } from '../domain/message.ts'
import type { Expanded } from '../domain/recall.ts'
import {
  type Anchor,
  type AnchorRange,
  anchorRangesAt,
  anchorRangesOf,
  anchorsOf,
  type Span,
  spansOf,
  wholeNumber,
} from '../domain/span.ts'
import type { SummaryRecord } from '../domain/summary.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { fillPage, type PageCandidate, type PageLimit } from '../flow/recall/fill-page.ts'
import { messageText } from '../flow/text/message-text.ts'
import type { AnsweredCall } from '../flow/text/page-text.ts'
import type { StoredConversation } from '../ports/store.ts'
import type { Internals, Runtime } from './runtime.ts'
import { summaryById } from './summary.ts'

/**
 * An anchor, or several in one string (`#3, #17-#19`); a summary or its id, for its messages; an
 * entry of the ledger, for its sources.
 */
export type Expandable = Anchor | SummaryRecord | LedgerEntry

/** The options of `chat.expand`. */
export interface ExpandOptions {
  readonly limit?: number | undefined
  readonly tokens?: number | undefined
  /** The model that `tokens` refers to; without it tokens are estimated, rather too high. */
  readonly model?: string | undefined
}

/** Null where there is no message. A result is returned with its call, which explains it. */
export async function expand(
  chat: Internals,
  anchor: Expandable,
  options: ExpandOptions,
): Promise<Expanded | null> {
  const asked = checkOptions(options, ['limit', 'tokens', 'model'], 'expand')
  const limit = await limitOf(asked, chat.runtime)
  const pageMessages = limit === null ? defaults.pageExpand : defaults.pageExpandMost
  const conversation = await loadConversation(chat.store, chat.id)
  const ranges = (await anchorRangesFor(chat, anchor))
    .map((range) => ({ ...range, to: Math.min(range.to, conversation?.head ?? 0) }))
    .filter(({ from, to }) => from < to)
  const messages = Math.max(1, wholeNumber(asked.limit ?? pageMessages))
  const page = await readPage(chat, ranges, { messages, limit })
  if (page === null) return null
  const { pieces, text } = page.filled
  recordExpanded(chat, spansOf(pieces.map(({ seq }) => seq)))
  const next = page.rest.length === 0 ? null : anchorsOf(page.rest)
  return { messages: page.messages, pieces, text, next }
}

async function limitOf({ tokens, model }: ExpandOptions, runtime: Runtime) {
  if (model !== undefined && (typeof model !== 'string' || model === ''))
    throw invalidOption('expand: model must be a name')
  if (tokens === undefined) return null
  const mostTokens = Math.max(1, wholeNumber(tokens))
  const { text } = await (model === undefined ? runtime.estimate() : runtime.meter(model))
  return { mostTokens, count: text }
}

async function anchorRangesFor(chat: Internals, anchor: Expandable) {
  const { id } = chat
  if (typeof anchor === 'string' && summaryId.test(anchor)) {
    const summary = await summaryById(chat, anchor)
    return summary === null ? [] : anchorRangesOf(summary.added, id)
  }
  if (typeof anchor !== 'object' || anchor === null) return anchorRangesOf(anchor, id)
  if ('sources' in anchor) return anchorRangesAt(anchor.sources)
  return anchorRangesOf('added' in anchor ? anchor.added : anchor, id)
}

const summaryId = /^[0-9a-f]{32}$/

/** Records expanded spans for the follow-up of receipts. The reader does not wait for the write. */
export function recordExpanded({ store, id, runtime }: Internals, spans: readonly Span[]): void {
  runtime.background.run(async () => {
    for (const expanded of spans) await recordRequest(store, { id, expanded })
  })
}

/**
 * A page of ranges, and the ranges that are left; null where there is no message. Messages are read
 * a few at a time, because one may have 64 MB.
 */
async function readPage(
  chat: StoredConversation,
  ranges: readonly AnchorRange[],
  size: { readonly messages: number; readonly limit: PageLimit | null },
) {
  const { messages: maxMessages, limit } = size
  const calls = new CallsBefore(chat)
  const read: PageCandidate[] = []
  let rest = ranges
  let filled = fillPage(read, limit)
  let atOnce = limit === null ? maxMessages : firstMessages
  while (rest.length > 0 && read.length < maxMessages && filled.rest === null) {
    const more = await readFirst(chat, rest, Math.min(atOnce, maxMessages - read.length))
    for (const { message, character } of more.found)
      read.push({ message, character, answers: await calls.answeredBy(message) })
    rest = more.rest
    filled = fillPage(read, limit)
    atOnce *= 2
  }
  if (read.length === 0) return null
  const shown = read.slice(0, filled.pieces.length)
  const next = filled.rest === null ? null : read[filled.rest.index]
  return {
    messages: withCalls(shown, calls.found),
    filled,
    rest: next ? fromPlace(ranges, next.message.seq, filled.rest?.character ?? 0) : rest,
  }
}

const firstMessages = 4

function withCalls(shown: readonly PageCandidate[], found: ReadonlyMap<Seq, Message>) {
  const places = shown.flatMap(({ message, answers }) => [
    ...answers.map(({ seq }) => found.get(seq) ?? message),
    message,
  ])
  return [...new Map(places.map((message) => [message.seq, message])).values()].sort(
    (left, right) => left.seq - right.seq,
  )
}

async function readFirst(
  { store, id }: StoredConversation,
  ranges: readonly AnchorRange[],
  limit: number,
): Promise<{ readonly found: readonly Placed[]; readonly rest: readonly AnchorRange[] }> {
  const [first] = ranges
  if (first === undefined) return { found: [], rest: [] }
  const { from, character } = first
  const to = Math.min(first.to, from + limit)
  const messages = (await store.read({ id, span: { from, to } })) ?? []
  return {
    found: messages
      .map((message) => ({ message, character: message.seq === from ? character : 0 }))
      .filter(
        ({ message, character }) => character === 0 || character < messageText(message).length,
      ),
    rest: fromPlace(ranges, to, 0),
  }
}

type Placed = Pick<PageCandidate, 'message' | 'character'>

function fromPlace(ranges: readonly AnchorRange[], seq: Seq, character: number) {
  return ranges
    .filter(({ to }) => to > seq)
    .map((range) => {
      const startsLater = range.from > seq || (range.from === seq && character === 0)
      return startsLater ? range : { from: seq, to: range.to, character }
    })
}

/** A call that a result answers, with its message. */
interface FoundCall extends AnsweredCall {
  readonly message: Message
}

/** Finds the calls that results answer. Messages come in ascending order, perhaps with gaps. */
class CallsBefore {
  /** The messages with the calls, by place. */
  readonly found = new Map<Seq, Message>()
  readonly #chat: StoredConversation
  /** Calls in the current run of messages without a gap. */
  #calls = new Map<string, FoundCall>()
  /** Calls before that run, once they are read. */
  #before: ReadonlyMap<string, FoundCall> | null = null
  #run = { from: 0, to: 0 }

  constructor(chat: StoredConversation) {
    this.#chat = chat
  }

  async answeredBy(message: Message): Promise<readonly AnsweredCall[]> {
    const { seq, parts } = message
    if (this.#run.to !== seq) this.#beginRun(seq)
    const answered: FoundCall[] = []
    for (const part of parts) {
      if (part.type !== 'tool-result') continue
      const call = this.#calls.get(part.callId) ?? (await this.#lookBack()).get(part.callId)
      if (call !== undefined) answered.push(call)
    }
    for (const { message: calling } of answered) this.found.set(calling.seq, calling)
    collectCalls(message, this.#calls)
    this.#run = { ...this.#run, to: seq + 1 }
    return answered
  }

  /** After a gap, the same ids may belong to other calls. */
  #beginRun(seq: Seq): void {
    this.#run = { from: seq, to: seq }
    this.#calls = new Map()
    this.#before = null
  }

  async #lookBack(): Promise<ReadonlyMap<string, FoundCall>> {
    if (this.#before !== null) return this.#before
    const calls = new Map<string, FoundCall>()
    const { store, id } = this.#chat
    const before = await store.read({ id, before: this.#run.from, limit: callDistance })
    for (const message of before ?? []) collectCalls(message, calls)
    this.#before = calls
    return calls
  }
}

// Results of simultaneous calls follow one another.
const callDistance = 32

function collectCalls(message: Message, calls: Map<string, FoundCall>): void {
  for (const part of message.parts)
    if (part.type === 'tool-call') calls.set(part.callId, { seq: message.seq, call: part, message })
}
