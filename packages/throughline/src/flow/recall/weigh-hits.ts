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
  /** The weight of the question's terms in a piece; 0 if it contains none. */
  weightOf(key: PieceKey): number
  readonly ranked: readonly PieceKey[]
  /** The largest sum of terms in a piece. */
  readonly best: number
  /** How much of the question is answered around the best place, from 0 to 1. */
  readonly answered: number
}

/** `before`: where the searched messages end. `factors`: of the first matches; the others are names. */
export function weighHits(found: FoundPieces, before: number, factors: readonly number[]): Hits {
  const rarities = found.matches.map(({ count }) => rarity(count, found.pieces))
  const termWeights = rarities.map((each, index) => each * (factors[index] ?? 1))
  const all = termWeights.reduce((sum, weight) => sum + weight, 0)
  const { keys, sums } = sumByPiece(found, termWeights)
  const best = sums.reduce((max, weight) => Math.max(max, weight), 0)
  const weights = sums.map((weight) => weight * (1 + coverageGain * (weight / Math.max(1, all))))
  const places = placesOf(keys, found, before)
  const worth = smoothed(weights, places)
  const order = keys.map((_, index) => index)
  order.sort((left, right) => (worth[right] ?? 0) - (worth[left] ?? 0) || right - left)
  const ranked = order.flatMap((index) => keys[index] ?? [])
  const middle = places[order[0] ?? -1]
  const answered =
    middle === undefined ? 0 : answeredShare(found, factors.length, nearKeys(keys, places, middle))
  return { weightOf: (key) => weights[indexOf(keys, key)] ?? 0, ranked, best, answered }
}

/** The weight of all terms in each piece. Sorts numbers, because a map of a hundred thousand is slow. */
function sumByPiece(
  { matches }: FoundPieces,
  termWeights: readonly number[],
): { readonly keys: readonly PieceKey[]; readonly sums: readonly number[] } {
  const hits = new Float64Array(matches.reduce((sum, { keys }) => sum + (keys?.length ?? 0), 0))
  let end = 0
  for (const [term, match] of matches.entries())
    for (const key of match.keys ?? []) {
      hits[end] = key * matches.length + term
      end += 1
    }
  hits.sort()
  const [keys, sums]: [PieceKey[], number[]] = [[], []]
  for (const hit of hits) {
    const key = Math.floor(hit / matches.length)
    const weight = termWeights[hit - key * matches.length] ?? 0
    const last = keys.length - 1
    if (keys[last] === key) sums[last] = (sums[last] ?? 0) + weight
    else {
      keys.push(key)
      sums.push(weight)
    }
  }
  return { keys, sums }
}

/** -1 if it is missing. */
function indexOf(keys: readonly PieceKey[], key: PieceKey): number {
  let [from, to] = [0, keys.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((keys[middle] ?? 0) < key) from = middle + 1
    else to = middle
  }
  return keys[from] === key ? from : -1
}

/** A piece with all of the question's words weighs this many times more than by their sum. */
const coverageGain = 4
// For a word without matches, which may be only the user's wording.
const unmatchedWeight = 0.5

/** The share of the question's terms near one place, from 0 to 1. */
function answeredShare(
  { matches, pieces }: FoundPieces,
  terms: number,
  [first, last]: readonly [PieceKey, PieceKey],
): number {
  let [near, all] = [0, 0]
  for (const { count, keys } of matches.slice(0, terms)) {
    const weight = rarity(count, pieces) * (count === 0 ? unmatchedWeight : 1)
    all += weight
    if (keys?.some((key) => key >= first && key <= last)) near += weight
  }
  return near / Math.max(1, all)
}

/** The first and the last one around a place. */
function nearKeys(
  keys: readonly PieceKey[],
  places: readonly number[],
  middle: number,
): readonly [PieceKey, PieceKey] {
  const isNear = (place: number) => Math.abs(place - middle) <= reach.aroundWords
  return [keys[places.findIndex(isNear)] ?? 0, keys[places.findLastIndex(isNear)] ?? 0]
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
  const carry = (from: number, step: 1 | -1) => {
    let [carried, last] = [0, places[from] ?? 0]
    for (let index = from; index >= 0 && index < weights.length; index += step) {
      const place = places[index] ?? 0
      carried *= Math.exp(-Math.abs(place - last) / words)
      sums[index] = (sums[index] ?? 0) + carried
      carried += weights[index] ?? 0
      last = place
    }
  }
  carry(0, 1)
  carry(weights.length - 1, -1)
  return sums
}
