/** What was found in the stretches that a conversation is made of, as if it were one. */
import type { FoundPieces, PieceQuery, TermMatch } from '../domain/found-pieces.ts'

/**
 * What was found in several stretches of one conversation, such as those that a fork shares, as if it
 * were one. They come in the order of the conversation.
 *
 * @example
 * const index = new TermIndex()
 * const query = { terms: ['invoice'], partsOfNames: [], before: 40, most: 100 }
 * const found = joinFound([index.find({ ...query, before: 12 }), index.find(query)], query)
 */
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
