/** Groups entries into chunks, in order. An entry larger than a chunk is split. */
import type { Entry } from './entries.ts'

interface ChunkOptions {
  readonly mostTokens: number
  readonly count: (text: string) => number
  readonly write: (entries: readonly Entry[]) => string
}

export function chunksOf(entries: readonly Entry[], { mostTokens, count, write }: ChunkOptions) {
  const chunks: Entry[][] = []
  let roomTokens = 0
  const tokensOf = (entry: Entry) => count(write([entry])) + joinTokens
  const splitIfLong = (entry: Entry): readonly Entry[] => {
    if (tokensOf(entry) <= mostTokens) return [entry]
    const pieces = splitText(entry.text, Math.max(1, mostTokens - labelTokens), count)
    return pieces.map((text, index) => {
      return { ...entry, text, part: { number: index + 1, of: pieces.length } }
    })
  }
  for (const entry of entries.flatMap(splitIfLong)) {
    const tokens = tokensOf(entry)
    const chunk = chunks.at(-1)
    if (chunk === undefined || tokens > roomTokens) {
      chunks.push([entry])
      roomTokens = mostTokens - tokens
    } else {
      chunk.push(entry)
      roomTokens -= tokens
    }
  }
  return chunks
}

/** The blank line between two entries. */
const joinTokens = 2
/** The longest label: role, name and part number. */
const labelTokens = 96

/** Cuts a text into pieces, each near the end of a paragraph, line, sentence or word. */
export function splitText(text: string, mostTokens: number, count: (text: string) => number) {
  const pieces: string[] = []
  let from = 0
  // The length that fitted last time, somewhat larger, is a good first guess.
  let guess = Math.max(1, Math.floor(mostTokens * charactersPerToken))
  while (from < text.length) {
    let length = Math.min(guess, text.length - from)
    while (length > 1 && count(text.slice(from, from + length)) > mostTokens)
      length = Math.max(1, Math.floor(length * shrinkFactor))
    guess = Math.floor(length * growthFactor)
    const end = from + length
    const next = end === text.length ? end : from + boundaryBefore(text, from, length)
    pieces.push(text.slice(from, next))
    from = next
  }
  return pieces
}

const charactersPerToken = 4
const shrinkFactor = 0.75
const growthFactor = 1.2
// A better place farther away would cost more requests than it is worth.
const searchedShare = 0.3
const boundaries: readonly RegExp[] = [
  /^[\s\S]*\n[ \t]*\n/,
  /^[\s\S]*\n/,
  /^[\s\S]*(?:[.!?](?=\s)|[。！？])/,
  /^[\s\S]*\s/,
]

/** The length up to the last boundary in the last part of a piece; the whole length if there is none. */
function boundaryBefore(text: string, from: number, length: number): number {
  const minLength = Math.floor(length * (1 - searchedShare))
  const searched = text.slice(from + minLength, from + length)
  for (const boundary of boundaries) {
    const found = boundary.exec(searched)
    if (found !== null) return minLength + found[0].length
  }
  const end = from + length
  const splitsPair =
    /[\ud800-\udbff]/.test(text[end - 1] ?? '') && /[\udc00-\udfff]/.test(text[end] ?? '')
  if (!splitsPair) return length
  return length > 1 ? length - 1 : 2
}
