/**
 * The tokens of a request counted again, on its own: as the JSON that would leave, with
 * the raw tokenizer. Bytes of files are taken out, because providers bill them otherwise.
 *
 * Requests of a conversation are mostly the same text, so there is a quick count too:
 * message by message, each text counted once.
 */
import type { Tokenizer } from '../../index.ts'

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
