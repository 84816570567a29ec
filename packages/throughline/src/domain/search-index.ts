import type { Seq } from './ids.ts'

/**
 * What is searched: a message, or a run of a long one, as the terms that it holds. Stores look terms
 * up and know nothing of language.
 */
export interface IndexedPiece {
  readonly seq: Seq
  /** 0, 1, … within the message; at most 4,095. */
  readonly part: number
  readonly terms: readonly string[]
  /**
   * Names such as paths, identifiers, hashes, and runs of scripts without spaces: found by any
   * part of them of three characters or more, whatever the case.
   */
  readonly names: readonly string[]
  readonly length: number
}

/**
 * Where a piece stands, in one number, so that thousands of them cost nothing. The order of
 * keys is that of the conversation.
 */
export type PieceKey = number

/** How many pieces a message may have. */
export const mostParts = 4096

/** How many messages of a conversation can be searched: keys and a conversation's own number share 63 bits. */
export const mostSearched = 2 ** 24

/**
 * Where a piece stands, in one number that sorts as the conversation does.
 *
 * @example
 * const [first, behind] = [pieceKey(12, 0), pieceKey(13, 0)] // all pieces of message 12
 */
export function pieceKey(seq: Seq, part: number): PieceKey {
  return seq * mostParts + part
}

export function seqOfPiece(key: PieceKey): Seq {
  return Math.floor(key / mostParts)
}

export function partOfPiece(key: PieceKey): number {
  return key % mostParts
}

/**
 * Which pieces of one conversation hold which terms: what ranking starts from. Figures are
 * never of other conversations, so what somebody else writes moves no rank.
 */
export interface PieceQuery {
  readonly terms: readonly string[]
  readonly partsOfNames: readonly string[]
  /** Only messages before it. */
  readonly before: Seq
  /** Terms that more pieces hold are only counted. */
  readonly most: number
}

/** Which pieces of one conversation hold which terms: what ranking starts from. */
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
  readonly places: {
    /** Ascending: plain numbers, because there may be tens of thousands. */
    readonly keys: readonly PieceKey[]
    /** Of the pieces, in the same order. */
    readonly lengths: readonly number[]
  } | null
}
