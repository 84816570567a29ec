import type { Seq } from './ids.ts'

/**
 * A message, or a run of a long one, as its searchable terms. Stores look terms up and know nothing
 * of language.
 */
export interface IndexedPiece {
  readonly seq: Seq
  /** 0, 1, … within the message; at most 4,095. */
  readonly part: number
  readonly terms: readonly string[]
  /**
   * Paths, identifiers, hashes, and runs of scripts without spaces: found by any part of at least
   * three characters, in upper or lower case.
   */
  readonly names: readonly string[]
  readonly length: number
}

/**
 * The place of a piece in one number, because there are thousands; sorts as the conversation does.
 */
export type PieceKey = number

export const mostParts = 4096

/**
 * How many messages of a conversation can be searched: keys and a conversation's number share 63
 * bits.
 */
export const mostSearched = 2 ** 24

/**
 * The place of a piece in one number that sorts as the conversation does.
 *
 * @example
 * const [first, end] = [pieceKey(12, 0), pieceKey(13, 0)] // all pieces of message 12
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
 * A query for the pieces of one conversation that contain terms. Its figures count only this
 * conversation, so that text of others cannot change a rank.
 */
export interface PieceQuery {
  readonly terms: readonly string[]
  readonly partsOfNames: readonly string[]
  readonly before: Seq
  /** A term in more pieces than this is only counted. */
  readonly most: number
}

/** Which pieces of one conversation contain which terms: the input of the ranking. */
export interface FoundPieces {
  /** How many there are before the place, with or without terms. */
  readonly pieces: number
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
    readonly lengths: readonly number[]
  } | null
}
