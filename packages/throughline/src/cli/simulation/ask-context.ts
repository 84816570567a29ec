/** Asks for a context, and tells a refusal that is right from one that is not. */
import { isThroughlineError } from '../../errors.ts'
import type {
  Context,
  ContextInput,
  ContextMessage,
  ConversationHandle,
  Deliverable,
  Tokenizer,
  ToolSchema,
} from '../../index.ts'
import { formats, type Report, type Sent, sentOf } from './checks.ts'

export interface Asked {
  readonly context: Context
  readonly sent: Sent
}

/** Null where it failed and should not have. */
export async function askContext(
  chat: ConversationHandle,
  input: ContextInput,
  promptTokens: number,
  report: Report,
): Promise<Asked | 'impossible' | null> {
  try {
    const context = await chat.context(input)
    return { context, sent: sentOf(context) }
  } catch (error) {
    const overflows = isThroughlineError(error) && error.code === 'CONTEXT_OVERFLOW'
    // Only a prompt that is too large by itself, by our own count, is rightly refused.
    const available = overflows ? Number(error.details?.['availableTokens']) : Number.NaN
    if (promptTokens > available) return 'impossible'
    report(
      overflows ? 'overflow error' : 'other error',
      `system, tools and a note are ${promptTokens} tokens: ${error}`,
    )
    return null
  }
}

/** A note on what is not shown, and the newest message in short: with less nobody can go on. */
const leastSaid = [
  '[earlier messages of this conversation, #0 to #99, are not shown]',
  'so\n[… 100 characters left out; whole in #100 …]\non',
]

/** Of the least that can be asked with that prompt, in the format that takes the most. */
export function leastTokens(
  system: string,
  tools: readonly ToolSchema[],
  recount: Recount,
): number {
  const message = (text: string): ContextMessage => ({
    role: 'user',
    author: null,
    parts: [{ type: 'text', text, metadata: null }],
    meta: null,
    seq: null,
    slot: 'current',
  })
  const least: Deliverable = {
    system: [{ type: 'text', text: system, metadata: null }],
    tools,
    messages: leastSaid.map(message),
    files: new Map(),
    breakpoints: [],
  }
  const counts = formats.map((format) => {
    const request = format.write(least)
    return typeof request === 'string' ? 0 : recount.exact(request)
  })
  return Math.max(...counts)
}

/**
 * The tokens of a request counted again, on its own: as the JSON that would leave, with
 * the raw tokenizer. Bytes of files are taken out, because providers bill them otherwise.
 *
 * Requests of a conversation are mostly the same text, so there is a quick count too:
 * message by message, each text counted once.
 */
export interface Recount {
  /** The JSON in one piece. */
  exact(request: object): number
  /** The JSON in pieces, which is rarely less and never much less. */
  quick(request: object): number
}

/** For the requests of one conversation: what was counted is kept. */
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
  return {
    exact: (request) => tokenizer.count(jsonOf(request)),
    quick: (request) => inPieces(request, piecesDepth),
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

// The bytes of any file are longer, as base64; what else is called "data" is mostly not.
const longestWord = 256
