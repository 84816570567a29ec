/** Checks the invariants of a context from outside, without the engine's code. */
import {
  aiSdk,
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from '../../adapters/index.ts'
import { isThroughlineError } from '../../errors.ts'
import type {
  Adapter,
  Context,
  ContextInput,
  ContextMessage,
  ConversationHandle,
  Deliverable,
  Tokenizer,
  ToolSchema,
} from '../../index.ts'
import { commonLength } from './bill.ts'

export type Report = (kind: string, found: string) => void

export interface Asked {
  readonly context: Context
  readonly sent: Sent
}

interface Prompt extends ContextInput {
  readonly system: string
  readonly tools: readonly ToolSchema[]
}

/** Every 20th request is repeated. */
const requestsPerRepetition = 20
/** Every 50th request is written in all formats and counted whole; others in one, in turn. */
const requestsPerFullCheck = 50

/** Builds the contexts of one conversation and checks each against the previous one. */
export function createFitChecker(chat: ConversationHandle, prompt: Prompt, recount: Recount) {
  const promptTokens = leastTokens(prompt, recount)
  let before: Sent | null = null
  /** Null for an unexpected failure. */
  const ask = async (report: Report): Promise<Asked | 'impossible' | null> => {
    try {
      const context = await chat.context(prompt)
      return { context, sent: sentOf(context) }
    } catch (error) {
      const overflows = isThroughlineError(error) && error.code === 'CONTEXT_OVERFLOW'
      // An overflow error is right only if the prompt alone is too large by our own count.
      const available = overflows ? Number(error.details?.['availableTokens']) : Number.NaN
      if (promptTokens > available) return 'impossible'
      report(
        overflows ? 'overflow error' : 'other error',
        `system, tools and a note are ${promptTokens} tokens: ${error}`,
      )
      return null
    }
  }
  return {
    ask,
    /** Repeated requests must have the same bytes. */
    check: async ({ context, sent }: Asked, index: number, report: Report): Promise<void> => {
      checkTokens(context, report)
      checkPairs(context.messages, report)
      checkPrefix(context, before, sent, report)
      before = sent
      const isFull = index % requestsPerFullCheck === 0
      const count = (request: object) => recount(request, isFull ? undefined : context.available)
      for (const [turn, format] of formats.entries())
        if (isFull || turn === index % formats.length) checkFormat(context, format, count, report)
      if (index % requestsPerRepetition !== 0) return
      const again = await ask(report)
      if (again === null || again === 'impossible') return
      if (bytesOf(again.sent) !== bytesOf(sent))
        report('not the same bytes twice', `${sent.fingerprint}, ${again.sent.fingerprint}`)
    },
  }
}

/** The smallest possible request: a note on omitted messages and a shortened newest message. */
const leastTexts = [
  '[Messages #0 to #99 are left out.]',
  'so\n[… 100 characters left out; see #100 …]\non',
]

/** The tokens of that request in the largest format. */
function leastTokens({ system, tools }: Prompt, recount: Recount): number {
  const least: Deliverable = {
    system: [{ type: 'text', text: system, metadata: null }],
    tools,
    messages: leastTexts.map((text) => ({
      ...{ role: 'user', author: null, meta: null, seq: null, slot: 'current' },
      parts: [{ type: 'text', text, metadata: null }],
    })),
    files: new Map(),
    breakpoints: [],
  }
  const counts = formats.map((format) => {
    const request = written(format, least)
    return typeof request === 'string' ? 0 : recount(request)
  })
  return Math.max(...counts)
}

/** The sent parts of a request, to compare the next one with. */
export interface Sent {
  readonly fingerprint: string
  /** System and tools. */
  readonly head: string
  readonly messages: readonly string[]
  /** The number of messages that the next request must repeat at its start. */
  readonly lasting: number
}

export function sentOf(context: Context): Sent {
  const { system, tools, messages, fingerprint, repairs } = context
  const volatileFrom = messages.findIndex(({ slot }) => slot === 'retrieved')
  const endings = repairs.filter(({ kind }) => kind === 'ending-added').length
  return {
    fingerprint,
    head: JSON.stringify([system, tools]),
    // The slot is internal and not sent.
    messages: messages.map(({ role, author, parts, meta }) =>
      JSON.stringify([role, author, parts, meta]),
    ),
    lasting: volatileFrom === -1 ? messages.length - endings : volatileFrom,
  }
}

function bytesOf({ fingerprint, head, messages }: Sent): string {
  return JSON.stringify([fingerprint, head, messages])
}

export function checkPrefix(context: Context, before: Sent | null, now: Sent, report: Report) {
  if (before === null || context.brokenBy !== null) return
  const kept = commonLength(before.messages, now.messages)
  if (before.head !== now.head || kept < before.lasting)
    report('prefix break without a cause', `${kept} of ${before.lasting} messages kept`)
  else if (context.prefixOf !== before.fingerprint)
    report('prefix break without a cause', 'prefixOf names another request than the previous one')
}

export function checkTokens({ tokens, available }: Context, report: Report): void {
  if (tokens > available) report('over budget', `${tokens} tokens, ${available} are available`)
}

/** Tool results must follow their calls directly, and every result must have a call. */
export function checkPairs(messages: readonly ContextMessage[], report: Report): void {
  const orphan = firstOrphan(messages)
  if (orphan !== null) report('orphaned', orphan)
}

function firstOrphan(messages: readonly ContextMessage[]): string | null {
  const waiting = new Set<string>()
  for (const [at, { role, parts }] of messages.entries()) {
    const results = parts.filter((part) => part.type === 'tool-result')
    // A reply may be several messages, one for each call.
    const repliesOn = role === 'assistant' && messages[at - 1]?.role === 'assistant'
    if (results.length === 0 && waiting.size > 0 && !repliesOn)
      return `messages[${at}] is between a call and its result`
    const stray = results.find(({ callId }) => !waiting.delete(callId))
    if (stray !== undefined) return `the result in messages[${at}] has no call`
    for (const part of parts) if (part.type === 'tool-call') waiting.add(part.callId)
  }
  return waiting.size > 0 ? 'the last call has no result' : null
}

export function checkFormat(
  context: Context,
  adapter: Adapter<object>,
  count: (request: object) => number,
  report: Report,
): void {
  const { available } = context
  const request = written(adapter, context)
  if (typeof request === 'string') {
    report(`refused by ${adapter.format}`, request)
    return
  }
  const tokens = count(request)
  if (tokens > available)
    report('over budget', `${tokens} tokens as ${adapter.format}, ${available} are available`)
}

export const formats: readonly Adapter<object>[] = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  geminiContents,
  aiSdk,
]

/** The request, or why its provider would refuse it. */
function written(adapter: Adapter<object>, context: Deliverable): object | string {
  try {
    const request = adapter.write(context)
    const [problem] = adapter.problems(request)
    return problem === undefined ? request : `${problem.rule}: ${problem.message}`
  } catch (error) {
    if (isThroughlineError(error) && error.code === 'REQUEST_INVALID') return error.message
    throw error
  }
}

/**
 * Counts the JSON of a request with the raw tokenizer, independent of the engine. Bytes of files are left
 * out, since providers bill them differently. With `available`, it counts message by message and caches
 * each text; if the sum is too near the limit, it counts the request as a whole.
 */
export type Recount = (request: object, available?: number) => number

const surelyFits = 0.97

/** Caches the counts of one conversation. */
export function createRecount(tokenizer: Tokenizer): Recount {
  const counts = new Map<string, number>()
  const counted = (value: unknown): number => {
    const text = jsonOf(value)
    const tokens = counts.get(text) ?? tokenizer.count(text)
    counts.set(text, tokens)
    return tokens
  }
  const inPieces = (value: unknown, depth: number): number => {
    if (depth === 0 || !holdsArray(value)) return counted(value)
    if (Array.isArray(value))
      return value.reduce((sum: number, element) => sum + 1 + inPieces(element, depth - 1), 2)
    return Object.entries(value).reduce(
      (sum, [key, inner]) => sum + 1 + counted(key) + inPieces(inner, depth - 1),
      2,
    )
  }
  return (request, available) => {
    const tokens = available === undefined ? null : inPieces(request, piecesDepth)
    const fits = tokens !== null && tokens <= (available ?? 0) * surelyFits
    return fits ? tokens : tokenizer.count(jsonOf(request))
  }
}

/** Request, messages, a message, its parts. */
const piecesDepth = 4

function holdsArray(value: unknown): value is object {
  if (Array.isArray(value)) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(Array.isArray)
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, withoutBytes) ?? ''
}

function withoutBytes(key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return ''
  if (typeof value !== 'string') return value
  return (key === 'data' && value.length > longestWord) || value.startsWith('data:') ? '' : value
}

// Base64 of any file is longer; other fields named "data" are mostly not.
const longestWord = 256
