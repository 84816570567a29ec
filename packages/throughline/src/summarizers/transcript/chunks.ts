/** Groups entries into chunks, in order. An entry larger than a chunk is split. */
import type { Entry } from './entries.ts'

interface ChunkOptions {
  readonly mostTokens: number
  readonly count: (text: string) => number
  readonly write: (entries: readonly Entry[]) => string
}

export function chunksOf(entries: readonly Entry[], { mostTokens, count, write }: ChunkOptions) {
  const chunks: Entry[][] = []
  let room = 0
  for (const entry of entries.flatMap((each) => withParts(each))) {
    const tokens = count(write([entry])) + joinTokens
    const last = chunks.at(-1)
    if (last === undefined || tokens > room) {
      chunks.push([entry])
      room = mostTokens - tokens
    } else {
      last.push(entry)
      room -= tokens
    }
  }
  return chunks

  function withParts(entry: Entry): readonly Entry[] {
    if (count(write([entry])) + joinTokens <= mostTokens) return [entry]
    const pieces = splitText(entry.text, Math.max(1, mostTokens - labelTokens), count)
    return pieces.map((text, index) => ({
      ...entry,
      text,
      part: { number: index + 1, of: pieces.length },
    }))
  }
}

/** The blank line between two entries. */
const joinTokens = 2
/** The longest label: role, name and part number. */
const labelTokens = 96

/** Pieces that together are the text, cut near the end of a paragraph, line, sentence or word. */
export function splitText(text: string, mostTokens: number, count: (text: string) => number) {
  const pieces: string[] = []
  let from = 0
  // The size that fitted last time is a good first guess.
  let guess = Math.max(1, Math.floor(mostTokens * charactersPerToken))
  while (from < text.length) {
    const length = fitting(text, from, guess)
    pieces.push(text.slice(from, from + length))
    from += length
  }
  return pieces

  function fitting(whole: string, at: number, first: number): number {
    let length = Math.min(first, whole.length - at)
    while (length > 1 && count(whole.slice(at, at + length)) > mostTokens)
      length = Math.max(1, Math.floor(length * less))
    guess = Math.max(1, Math.floor(Math.max(length, 1) * more))
    return at + length >= whole.length ? whole.length - at : boundaryBefore(whole, at, length)
  }
}

const charactersPerToken = 4
const less = 0.75
const more = 1.2
// A better place farther away would cost more requests than it is worth.
const reach = 0.3
const boundaries: readonly RegExp[] = [
  /^[\s\S]*\n[ \t]*\n/,
  /^[\s\S]*\n/,
  /^[\s\S]*(?:[.!?](?=\s)|[。！？])/,
  /^[\s\S]*\s/,
]

function boundaryBefore(text: string, from: number, length: number): number {
  const kept = Math.floor(length * (1 - reach))
  const near = text.slice(from + kept, from + length)
  for (const boundary of boundaries) {
    const found = boundary.exec(near)
    if (found !== null) return kept + found[0].length
  }
  const end = from + length
  const splitsPair =
    /[\ud800-\udbff]/.test(text[end - 1] ?? '') && /[\udc00-\udfff]/.test(text[end] ?? '')
  if (!splitsPair) return length
  return length > 1 ? length - 1 : 2
}
