/**
 * Which pieces of one conversation hold which terms: what ranking starts from. Figures are
 * never of other conversations, so what somebody else writes moves no rank.
 */
import type { Seq } from './ids.ts'
import type { PieceKey } from './indexed-piece.ts'

export interface PieceQuery {
  readonly terms: readonly string[]
  readonly partsOfNames: readonly string[]
  /** Only messages before it. */
  readonly before: Seq
  /** Terms that more pieces hold are only counted. */
  readonly most: number
}

export interface FoundPieces {
  /** How many there are before the place, whatever they hold. */
  readonly pieces: number
  /** How many words these have together. */
  readonly words: number
  /** One for each term, then one for each part of a name, in the order of the query. */
  readonly matches: readonly TermMatch[]
}

export interface TermMatch {
  readonly count: number
  /** Null where there are more than `most`. */
  readonly places: PiecePlaces | null
}

/** One piece at each index: plain numbers, because there may be tens of thousands. */
export interface PiecePlaces {
  /** Ascending. */
  readonly keys: readonly PieceKey[]
  readonly lengths: readonly number[]
}
