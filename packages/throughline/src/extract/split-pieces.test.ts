import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitPieces } from './split-pieces.ts'

const textsOf = (text: string, characters: number, pieces = 4_096) =>
  splitPieces(text, { characters, pieces }).map(({ from, to }) => text.slice(from, to))

describe('a text as pieces', () => {
  it('is whole where it is short, and none where it is empty', () => {
    expect(textsOf('short', 5)).toEqual(['short'])
    expect(textsOf('', 5)).toEqual([])
  })

  it.each([
    ['a paragraph', 'one two 3\n\nab\ncd. ef gh', ['one two 3\n\n', 'ab\ncd. ef gh']],
    ['a line', 'one two. three\nfour five six', ['one two. three\n', 'four five six']],
    ['a sentence', 'one two three. four five', ['one two three. ', 'four five']],
    ['a word', 'one two three four five', ['one two three ', 'four five']],
    ['nothing, where nothing ends', 'x'.repeat(20), ['x'.repeat(16), 'xxxx']],
  ])('ends where there is the end of %s', (_, text, pieces) => {
    expect(textsOf(text, 16)).toEqual(pieces)
  })

  it('is the text again when joined, with no character divided and no more pieces than asked for', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '. ', '。', '😀', '\n\n', 'word ')
    const text = fc.array(unit, { maxLength: 400 }).map((units) => units.join(''))
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 2, max: 40 }),
        (...given) => {
          const [all, characters, most] = given
          const pieces = textsOf(all, characters, most)
          expect(pieces.join('')).toBe(all)
          expect(pieces.length).toBeLessThanOrEqual(most)
          for (const piece of pieces) {
            expect(piece).not.toBe('')
            expect(piece.isWellFormed()).toBe(true)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
