import { describe, expect, it } from 'vitest'
import { type FoundPieces, type PieceKey, pieceKey, seqOfPiece } from '../../domain/search-index.ts'
import { minDistinctive, smoothed, weighHits } from './weigh-hits.ts'

const messages = 1_000

/** Pieces of fifty words; each term with the places that hold it, and how many more there are. */
function found(...terms: readonly (readonly PieceKey[])[]): FoundPieces {
  const matches = terms.map((keys) => ({ count: keys.length, keys }))
  return { pieces: messages, words: messages * 50, matches }
}

const at = (...places: readonly number[]) => places.map((seq) => pieceKey(seq, 0))
const every = (step: number) =>
  at(...Array.from({ length: messages / step }, (_, index) => index * step))
const weigh = (of: FoundPieces, factors = of.matches.map(() => 1)) =>
  weighHits(of, messages, factors)
const best = (of: FoundPieces) => seqOfPiece(weigh(of).ranked[0] ?? -1)

describe('how strongly a question points at a piece', () => {
  it('is more for one rare word than for several common ones', () => {
    expect(best(found(every(4), every(4), every(4), at(777)))).toBe(777)
  })

  it('is higher for pieces with several terms, and for their neighbours', () => {
    const { ranked, weightOf } = weigh(found(at(100, 500), at(500, 900), at(501)))
    expect(ranked.slice(0, 2).map(seqOfPiece)).toEqual([500, 501])
    expect(weightOf(pieceKey(500, 0))).toBeGreaterThan(weightOf(pieceKey(501, 0)))
  })

  it('is more where the words of a question are together than where one of them is repeated', () => {
    const spread = at(100, 102, 104, 106)
    expect(best(found([...spread, ...at(500)], at(500)))).toBe(500)
  })

  it('is added to neighbours by distance, and not to far pieces', () => {
    const places = [0, 30, 450, 1e6]
    const [, near = 0, far = 0, away = 0] = smoothed([1, 0, 0, 0], places)
    expect(near).toBeGreaterThan(far)
    expect(far).toBeGreaterThan(0.1)
    expect(away).toBeLessThan(1e-9)
    expect(smoothed([1, 0], [0, 0])[1]).toBeCloseTo(1)
  })

  it('is the same from both sides', () => {
    const worth = smoothed([1, 2, 4, 2, 1], [0, 10, 200, 390, 400])
    expect(worth.toReversed()).toEqual(worth.map((each) => expect.closeTo(each, 9)))
  })

  it('does not let a message of many parts drown a better one', () => {
    const giant = Array.from({ length: 900 }, (_, part) => pieceKey(10, part))
    expect(best({ ...found(giant, at(500)), pieces: 2_000 })).toBe(500)
  })

  it('takes the later of two that are worth the same', () => {
    expect(best(found(at(100, 900)))).toBe(900)
  })

  it('is not more where a short message follows the last part of a giant', () => {
    // A place that went backwards would lend more than there is.
    const keys = [pieceKey(3, 4_000), pieceKey(4, 0), pieceKey(900, 7)]
    const { ranked } = weigh({ ...found(keys, [pieceKey(900, 7)]), pieces: 9_000 })
    expect(ranked.map(seqOfPiece)).toEqual([900, 4, 3])
  })

  it('is what a word in every tenth piece weighs, or nothing in particular is meant', () => {
    const weight = (step: number) => weigh(found(every(step))).best
    expect(weight(5)).toBeLessThan(minDistinctive)
    expect(weight(20)).toBeGreaterThan(minDistinctive)
    expect(weigh(found())).toMatchObject({ ranked: [], best: 0, answered: 0 })
    expect(weigh(found()).weightOf(pieceKey(0, 0))).toBe(0)
  })
})
