import { describe, expect, it } from 'vitest'
import { type IndexedPiece, pieceKey } from '../domain/search-index.ts'
import { TermIndex } from './term-index.ts'

const piece = (seq: number, part: number, terms: readonly string[]): IndexedPiece => ({
  seq,
  part,
  terms,
  names: terms.map((term) => `name-${term}`),
  length: 10 + part,
})
const everything = { partsOfNames: ['name-'], before: 99, most: 99 }
const keysOf = (index: TermIndex, term: string) =>
  index.find({ ...everything, terms: [term] }).matches.map(({ keys }) => keys)

describe('an index of terms', () => {
  it('drops a message with all its pieces, and nothing else', () => {
    const index = new TermIndex()
    index.add([piece(1, 0, ['a']), piece(2, 0, ['a', 'b']), piece(2, 7, ['a']), piece(3, 0, ['b'])])
    index.drop(2)
    const left = [pieceKey(1, 0), pieceKey(3, 0)]
    expect(keysOf(index, 'a')).toEqual([[pieceKey(1, 0)], left])
    expect(keysOf(index, 'b')).toEqual([[pieceKey(3, 0)], left])
    expect(index.find({ ...everything, terms: [] })).toMatchObject({ pieces: 2, words: 20 })
  })

  it('keeps the order where a message in the middle is analysed again', () => {
    const index = new TermIndex()
    index.add([1, 2, 3].map((seq) => piece(seq, 0, ['a'])))
    index.drop(2)
    index.add([piece(2, 0, ['a', 'c']), piece(2, 1, ['a'])])
    const keys = [pieceKey(1, 0), pieceKey(2, 0), pieceKey(2, 1), pieceKey(3, 0)]
    expect(keysOf(index, 'a')).toEqual([keys, keys])
    expect(keysOf(index, 'c')).toEqual([[pieceKey(2, 0)], keys])
  })

  it('is not changed by a caller that changes its results', () => {
    const index = new TermIndex()
    index.add([piece(1, 0, ['a'])])
    const [first] = keysOf(index, 'a')
    ;(first as number[]).push(7)
    expect(keysOf(index, 'a')[0]).toEqual([pieceKey(1, 0)])
  })
})
