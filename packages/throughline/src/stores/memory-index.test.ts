import { describe, expect, it } from 'vitest'
import { pieceKey, seqOfPiece } from '../domain/indexed-piece.ts'
import { MemoryIndex } from './memory-index.ts'

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
    .matches.map(({ places }) => places?.keys.map(seqOfPiece))

describe('an index in memory', () => {
  it('lets one message go and takes it in again, where it stands', () => {
    const source = new MemoryIndex(null)
    const fork = new MemoryIndex({ index: source, at: 3 })
    fork.add(
      { from: 0, to: 5 },
      [0, 1, 2, 3, 4].map((seq) => piece(seq, 'old')),
    )
    fork.replace(1, [piece(1, 'new'), { ...piece(1, 'new'), part: 1 }])
    fork.replace(4, [])
    expect(placesOf(fork, 'old')).toEqual([
      [0, 2, 3],
      [0, 2, 3],
    ])
    expect(placesOf(source, 'new')).toEqual([
      [1, 1],
      [1, 1],
    ])
    expect([source.end, fork.end]).toEqual([3, 5])
    expect(fork.find({ terms: [], partsOfNames: [], before: 4, most: 0 }).pieces).toBe(5)
    expect(pieceKey(1, 1)).toBeLessThan(pieceKey(2, 0))
  })
})
