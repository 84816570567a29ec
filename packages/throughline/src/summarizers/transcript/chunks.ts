/**
 * Entries in chunks of at most so many tokens, in order, nothing left out. An entry that is
 * larger than a chunk is told in parts.
 */
import type { Entry } from './entry.ts'
import { splitText } from './split-text.ts'

export interface ChunkOptions {
  readonly mostTokens: number
  readonly count: (text: string) => number
  readonly write: (entries: readonly Entry[]) => string
}

export function chunksOf(
  entries: readonly Entry[],
  { mostTokens, count, write }: ChunkOptions,
): readonly (readonly Entry[])[] {
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
/** Who speaks, under what name, and which part: as much as a label can have. */
const labelTokens = 96
