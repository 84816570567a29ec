/** What was found in the stretches that a conversation is made of, as if it were one. */
import type { FoundPieces, PieceQuery, TermMatch } from '../domain/found-pieces.ts'

/** In the order of the conversation. */
export function joinFound(
  stretches: readonly FoundPieces[],
  { terms, partsOfNames, most }: PieceQuery,
): FoundPieces {
  const [only] = stretches
  if (only !== undefined && stretches.length === 1) return only
  return {
    pieces: sum(stretches.map(({ pieces }) => pieces)),
    words: sum(stretches.map(({ words }) => words)),
    matches: [...terms, ...partsOfNames].map((_, index) =>
      joinMatches(
        stretches.flatMap(({ matches }) => matches[index] ?? []),
        most,
      ),
    ),
  }
}

function joinMatches(matches: readonly TermMatch[], most: number): TermMatch {
  const count = sum(matches.map((match) => match.count))
  if (count > most) return { count, places: null }
  return {
    count,
    places: {
      keys: matches.flatMap(({ places }) => places?.keys ?? []),
      lengths: matches.flatMap(({ places }) => places?.lengths ?? []),
    },
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
