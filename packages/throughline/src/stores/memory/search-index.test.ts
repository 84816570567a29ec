import { describe, expect, it } from 'vitest'
import { seqOfPiece } from '../../domain/search-index.ts'
import { MemoryIndex } from './search-index.ts'

const piece = (seq: number, term: string) => ({
  seq,
  part: 0,
  terms: [term],
  names: [`name-${term}`],
  length: 1,
})
const placesOf = (index: MemoryIndex, term: string) =>
  index
    .find({ terms: [term], partsOfNames: [`name-${term}`], before: 99, most: 99 })
    .matches.map(({ keys }) => keys?.map(seqOfPiece))

describe('an index in memory', () => {
  it('replaces pieces of a message, as far as it was indexed', () => {
    const index = new MemoryIndex(() => null)
    index.add(
      { from: 0, to: 3 },
      [0, 1, 2].map((seq) => piece(seq, 'old')),
    )
    index.reindex([1], [piece(1, 'new')])
    index.reindex([2], [])
    index.reindex([4], [piece(4, 'new')])
    expect(placesOf(index, 'old')).toEqual([[0], [0]])
    expect(placesOf(index, 'new')).toEqual([[1], [1]])
    expect(index.end).toBe(3)
  })

  it('of a fork is reset where the fork gets rows of its own', () => {
    const source = new MemoryIndex(() => null)
    let at = 3
    const fork = new MemoryIndex(() => ({ log: { index: source }, at }))
    fork.add(
      { from: 0, to: 5 },
      [0, 1, 2, 3, 4].map((seq) => piece(seq, 'old')),
    )
    expect([source.end, fork.end]).toEqual([3, 5])
    at = 1
    fork.reset()
    expect([source.end, fork.end]).toEqual([3, 1])
    expect(placesOf(fork, 'old')).toEqual([[0], [0]])
  })
})
