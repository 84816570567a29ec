/**
 * Counts the tokens of a piece: neighbours that form a token are merged, earlier generations first, until none
 * is left. The order within a generation is unknown. Where it matters (two pairs that overlap), both orders
 * are tried, and the one with more tokens counts.
 *
 * A few passes for each generation, not one for each merge, keep the time linear in the length of the piece.
 */
import { hashOfBytes, maxPieceBytes, twoBytesAt } from './piece-hashes.ts'
import { generationOf, generationOfTwoBytes, lateGeneration, noToken } from './vocabulary-filter.ts'

export interface MergedPiece {
  tokens: number
  /** Two orders were possible, so `tokens` may be wrong. */
  tied: boolean
  /** Contains a late token: most false positives are late, as most of the vocabulary is. */
  late: boolean
}

// Reused for all pieces, like the arrays below: a text has hundreds of thousands.
const merged: MergedPiece = { tokens: 0, tied: false, late: false }

/** The result is valid until the next call. */
export function mergePiece(length: number): Readonly<MergedPiece> {
  merged.tied = false
  merged.late = false
  merged.tokens = merge(length, 'left')
  if (merged.tied) {
    leftFirst.set(following.subarray(0, length))
    merge(length, 'right')
    merged.tokens = countWorse(length)
  }
  return merged
}

// The tokens of a piece as a linked list: at the first byte of a token, the starts of the next and
// of the previous token. Two extra entries make checks for two tokens ahead unnecessary.
const entries = maxPieceBytes + 2
const following = new Int32Array(entries)
const preceding = new Int32Array(entries)
const leftFirst = new Int32Array(entries)
/** The generation of the token that this one and the next would form. */
const pairs = new Uint8Array(entries)

function merge(length: number, preferred: 'left' | 'right'): number {
  let tokens = length
  let generation = startList(length)
  while (generation !== noToken) {
    if (generation >= lateGeneration) merged.late = true
    let nextGeneration = noToken
    let at = 0
    while (at < length) {
      const pair = pairs[at] ?? noToken
      const neighbour = following[at] ?? length
      if (pair > generation) {
        if (pair < nextGeneration) nextGeneration = pair
        at = neighbour
        continue
      }
      if (pairs[neighbour] === pair && !samePair(at, neighbour)) {
        merged.tied = true
        if (preferred === 'right') {
          at = neighbour
          continue
        }
      }
      const earliest = mergeAt(at, length)
      tokens -= 1
      if (earliest < nextGeneration) nextGeneration = earliest
      // A new pair was learned after this merge, so it waits for the next pass, even in the same generation.
      at = following[at] ?? length
      if (earliest === pair && pairs[at] === pair) merged.tied = true
    }
    generation = nextGeneration
  }
  return tokens
}

/** Makes every byte a token; returns the earliest generation among the pairs. */
function startList(length: number): number {
  let earliest = noToken
  for (let at = 0; at < length + 2; at += 1) {
    following[at] = at + 1
    preceding[at] = at - 1
    const pair = at + 2 > length ? noToken : generationOfTwoBytes(twoBytesAt(at))
    pairs[at] = pair
    if (pair < earliest) earliest = pair
  }
  return earliest
}

/** Returns the earlier generation of the two pairs with the merged token. */
function mergeAt(at: number, length: number): number {
  const end = endOfPair(at)
  following[at] = end
  preceding[end] = at
  const after = rankPair(at, length)
  if (at === 0) return after
  return Math.min(after, rankPair(preceding[at] ?? 0, length))
}

function rankPair(at: number, length: number): number {
  const end = endOfPair(at)
  const generation = end > length ? noToken : generationOf(hashOfBytes(at, end))
  pairs[at] = generation
  return generation
}

function endOfPair(at: number): number {
  return following[following[at] ?? 0] ?? 0
}

/** Equal pairs have equal rank, so the left one is merged first, as in a run of one character. */
function samePair(one: number, other: number): boolean {
  const size = endOfPair(one) - one
  if (endOfPair(other) - other !== size) return false
  return hashOfBytes(one, one + size) === hashOfBytes(other, other + size)
}

/** Adds up the larger count between positions where both orders have a token boundary. */
function countWorse(length: number): number {
  let total = 0
  let left = 0
  let right = 0
  let leftTokens = 0
  let rightTokens = 0
  while (left < length || right < length) {
    if (left <= right) {
      left = leftFirst[left] ?? length
      leftTokens += 1
    } else {
      right = following[right] ?? length
      rightTokens += 1
    }
    if (left !== right) continue
    total += Math.max(leftTokens, rightTokens)
    leftTokens = 0
    rightTokens = 0
  }
  return total
}
