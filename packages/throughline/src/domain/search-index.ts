import type { Seq } from './ids.ts'

/** A message, or a run of a long one, as its searchable terms. Stores know nothing of language. */
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

/** See `pieceKey`. A number, because there are thousands of them. */
export type PieceKey = number

export const maxParts = 4096

/** Later messages are not indexed: the key and the number of the conversation share 63 bits. */
export const maxSearchable = 2 ** 24

/**
 * The place of a piece in one number that sorts as the conversation does.
 *
 * @example
 * const [first, end] = [pieceKey(12, 0), pieceKey(13, 0)] // all pieces of message 12
 */
export function pieceKey(seq: Seq, part: number): PieceKey {
  return seq * maxParts + part
}

export function seqOfPiece(key: PieceKey): Seq {
  return Math.floor(key / maxParts)
}

export function partOfPiece(key: PieceKey): number {
  return key % maxParts
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
  /** Ascending; null where there are more than `most`. Numbers, because there may be tens of thousands. */
  readonly keys: readonly PieceKey[] | null
}
