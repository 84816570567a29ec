/**
 * Counts a long text in pieces and caches their counts: a digest is rendered in several sizes until
 * one fits, and most of its lines are the same each time.
 *
 * The text is cut only where every encoding ends a token and `cut-long-runs.ts` starts a new run, so the
 * sum is the count of the whole. A cut depends only on the characters around it, so a line is the
 * same piece in every text.
 */
import type { CountTokens } from './cut-long-runs.ts'

// Below this, counting is as fast as cutting.
const minCharacters = 2_048
// A piece keeps the text it was cut from in memory, so the limit is in characters.
const maxCachedCharacters = 2_000_000

export function rememberLines(count: CountTokens): CountTokens {
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  let characters = 0
  const countPiece = (piece: string) => {
    const known = young.get(piece)
    if (known !== undefined) return known
    const tokens = old.get(piece) ?? count(piece)
    young.set(piece, tokens)
    return tokens
  }
  return (text) => {
    if (text.length < minCharacters) return count(text)
    // A giant text would evict all others, and stay in memory as a whole.
    if (text.length > maxCachedCharacters) return sumOfPieces(text, count)
    characters += text.length
    if (characters > maxCachedCharacters) {
      old = young
      young = new Map()
      characters = text.length
    }
    return sumOfPieces(text, countPiece)
  }
}

function sumOfPieces(text: string, count: CountTokens): number {
  let total = 0
  let start = 0
  for (let index = 1; index < text.length - 2; index += 1) {
    const end = endAt(text, index)
    if (end <= start) continue
    total += count(text.slice(start, end))
    start = end
  }
  return total + count(text.slice(start))
}

/** The end of a token at a character that separates lines and entries; else 0. */
function endAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  // Line ends belong to the space and the symbols before them, and "/" to the line ends before it.
  if (code === lineEnd) {
    const next = text.charCodeAt(index + 1)
    return isSign(next) && next !== slash ? index + 1 : 0
  }
  if (code === space) {
    const isSeparator = text.charCodeAt(index + 1) === middleDot
    return isSeparator && isSign(text.charCodeAt(index - 1)) ? index : 0
  }
  if (code !== backslash || text.charCodeAt(index + 1) !== letterN) return 0
  if (isLetterOrDigit(text.charCodeAt(index - 1))) return index
  return text.charCodeAt(index + 2) === hash ? index + 2 : 0
}

/** An ASCII character other than space and control; encodings differ on others. */
function isSign(code: number): boolean {
  return code > 0x20 && code < 0x7f
}

function isLetterOrDigit(code: number): boolean {
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

const [lineEnd, space, hash, slash] = [0x0a, 0x20, 0x23, 0x2f]
const [backslash, letterN, middleDot] = [0x5c, 0x6e, 0xb7]
