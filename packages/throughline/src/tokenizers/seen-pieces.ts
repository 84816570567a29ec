/**
 * The pieces of one text that had to be merged, and how often each was met: to
 * merge it once only, and because a piece that was misjudged once is misjudged
 * each time (estimate.ts).
 *
 * A table of fixed size with one place for each hash. Pieces that share a place
 * push each other out and count as met together, which errs to the safe side.
 */
export interface JudgedPiece {
  readonly tokens: number
  /** How unsure that is, as the variance of the tokens. */
  readonly doubt: number
}

const places = 4096

const textNumbers = new Int32Array(places)
const hashes = new Int32Array(places)
const tokens = new Int32Array(places)
const doubts = new Float64Array(places)
const meetings = new Int32Array(places)

// What is left from an earlier text has another number, so nothing is cleared.
let textNumber = 0

export function forgetPieces(): void {
  textNumber = (textNumber + 1) | 0
}

/** The place of a piece, for the functions below. */
export function placeOfPiece(hash: number): number {
  return (hash ^ (hash >>> 13)) & (places - 1)
}

export function isPieceKnown(place: number, hash: number): boolean {
  return textNumbers[place] === textNumber && hashes[place] === hash
}

export function learnPiece(place: number, hash: number, judged: JudgedPiece): void {
  if (textNumbers[place] !== textNumber) meetings[place] = 0
  textNumbers[place] = textNumber
  hashes[place] = hash
  tokens[place] = judged.tokens
  doubts[place] = judged.doubt
}

export function tokensAt(place: number): number {
  return tokens[place] ?? 0
}

export function doubtAt(place: number): number {
  return doubts[place] ?? 0
}

/** Counts a meeting; returns how many there were before. */
export function meetPiece(place: number): number {
  const before = meetings[place] ?? 0
  meetings[place] = before + 1
  return before
}
