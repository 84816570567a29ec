/**
 * Ranks pieces by the idf of BM25, each term once per piece; a piece with many of the question's terms
 * weighs more than its terms in different pieces. A hit adds weight to its neighbours: much to the
 * nearest, some to messages around it.
 */
import {
  type FoundPieces,
  type PieceKey,
  partOfPiece,
  seqOfPiece,
} from '../../domain/search-index.ts'

export interface Hits {
  /** The weight of the question's terms in each piece that contains any. */
  readonly weights: ReadonlyMap<PieceKey, number>
  readonly ranked: readonly PieceKey[]
  /** The largest sum of terms in a piece. */
  readonly best: number
  /** How much of the question is answered around the best place, from 0 to 1. */
  readonly answered: number
}

/** `before`: where the searched messages end. `factors`: of the first matches; the others are names. */
export function weighHits(found: FoundPieces, before: number, factors: readonly number[]): Hits {
  const weights = new Map<PieceKey, number>()
  let all = 0
  for (const [index, { count, places }] of found.matches.entries()) {
    const weight = rarity(count, found.pieces) * (factors[index] ?? 1)
    all += weight
    for (const key of places?.keys ?? []) weights.set(key, (weights.get(key) ?? 0) + weight)
  }
  const best = weights.values().reduce((max, weight) => Math.max(max, weight), 0)
  for (const [key, weight] of weights)
    weights.set(key, weight * (1 + coverageGain * (weight / Math.max(1, all))))
  const keys = [...weights.keys()].sort((left, right) => left - right)
  const places = placesOf(keys, found, before)
  const keyWeights = keys.map((key) => weights.get(key) ?? 0)
  const worth = smoothed(keyWeights, places)
  const order = keys.map((_, index) => index)
  order.sort((left, right) => (worth[right] ?? 0) - (worth[left] ?? 0) || right - left)
  const ranked = order.flatMap((index) => keys[index] ?? [])
  const placeOf = new Map(keys.map((key, index) => [key, places[index] ?? 0]))
  const middle = ranked[0] === undefined ? undefined : placeOf.get(ranked[0])
  const answered = middle === undefined ? 0 : answeredShare(found, factors.length, middle, placeOf)
  return { weights, ranked, best, answered }
}

/** A piece with all of the question's words weighs this many times more than by their sum. */
const coverageGain = 4
// For a word without matches, which may be only the user's wording.
const unmatchedWeight = 0.5

/** The share of the question's terms near one place, from 0 to 1. */
function answeredShare(
  { matches, pieces }: FoundPieces,
  terms: number,
  middle: number,
  placeOf: ReadonlyMap<PieceKey, number>,
): number {
  const isNear = (key: PieceKey) => Math.abs((placeOf.get(key) ?? 0) - middle) <= reach.aroundWords
  let [near, all] = [0, 0]
  for (const { count, places } of matches.slice(0, terms)) {
    const weight = rarity(count, pieces) * (count === 0 ? unmatchedWeight : 1)
    all += weight
    if (places?.keys.some(isNear)) near += weight
  }
  return near / Math.max(1, all)
}

/** Estimates the words before each hit, because messages between hits are not read. */
function placesOf(keys: readonly PieceKey[], { words, pieces }: FoundPieces, messages: number) {
  const perPiece = words / Math.max(1, pieces)
  const perMessage = Math.max(perPiece, words / Math.max(1, messages))
  let place = 0
  return keys.map((key, index) => {
    const before = keys[index - 1] ?? key
    const passed = seqOfPiece(key) - seqOfPiece(before)
    const parts = partOfPiece(key) - (passed === 0 ? partOfPiece(before) : 0)
    place += passed * perMessage + parts * perPiece
    return place
  })
}

/** The weight of a word in every tenth piece; automatic recall needs at least one such word. */
export const minDistinctive = Math.log(10) ** 1.5

/** The exponent lets one rare word outweigh two common ones. */
function rarity(count: number, pieces: number): number {
  return Math.log(1 + Math.max(0, pieces - count + 0.5) / (count + 0.5)) ** 1.5
}

/** Sums two distances: dense hits add up to a range, and single hits keep their peak. */
export function smoothed(
  weights: readonly number[],
  /** In words, ascending; unrelated neighbours are far apart. */
  places: readonly number[],
): readonly number[] {
  const near = spread(weights, places, reach.nearWords)
  const far = spread(weights, places, reach.farWords)
  return weights.map(
    (_, index) => reach.nearShare * (near[index] ?? 0) + (1 - reach.nearShare) * (far[index] ?? 0),
  )
}

export const reach = { aroundWords: 100, nearWords: 30, farWords: 450, nearShare: 0.4 } as const

/** Adds to each weight all others, reduced by distance; two passes suffice. */
function spread(weights: readonly number[], places: readonly number[], words: number) {
  const sums = [...weights]
  const carry = (order: Iterable<number>) => {
    let [carried, before] = [0, -1]
    for (const index of order) {
      const place = places[index] ?? 0
      carried *= Math.exp(-Math.abs(place - (places[before] ?? place)) / words)
      sums[index] = (sums[index] ?? 0) + carried
      carried += weights[index] ?? 0
      before = index
    }
  }
  carry(weights.keys())
  carry([...weights.keys()].reverse())
  return sums
}
