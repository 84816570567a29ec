import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundaryAfter, boundaryBefore, splitPieces } from './text-cuts.ts'

const family = '👨‍👩‍👧'

describe('where a text may be cut', () => {
  it('is any place between plain letters', () => {
    for (let at = 0; at <= 5; at += 1)
      expect([boundaryBefore('abc d', at), boundaryAfter('abc d', at)]).toEqual([at, at])
  })

  it('is not inside what a reader takes for one character', () => {
    const cases = [family, '🇫🇷', 'e\u0301', '👍🏽', '✈️']
    for (const each of cases) {
      const text = `ab${each}${each}c`
      for (let at = 3; at < 2 + each.length; at += 1) {
        expect(boundaryBefore(text, at)).toBe(2)
        expect(boundaryAfter(text, at)).toBe(2 + each.length)
      }
      for (const at of [2, 2 + each.length, 2 + 2 * each.length])
        expect([boundaryBefore(text, at), boundaryAfter(text, at)]).toEqual([at, at])
    }
    expect(boundaryAfter(`ab${family}`, 4)).toBe(2 + family.length)
  })

  it('is between code points where one letter has marks without end', () => {
    const text = `e${'\u0301'.repeat(500)}`
    expect([boundaryBefore(text, 10), boundaryBefore(text, 300)]).toEqual([10, 300])
    expect([boundaryAfter(text, 10), boundaryAfter(text, 300)]).toEqual([10, 300])
  })

  it('is where a segmenter finds one, and never inside a code point', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    const unit = fc.constantFrom('a', ' ', '字', 'é', '🚀', family, '👍🏽', 'न', 'ि')
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 30 }), fc.nat(120), (text, place) => {
        const at = Math.min(place, text.length)
        const ends = [...segmenter.segment(text)].map(
          ({ index, segment }) => index + segment.length,
        )
        const [before, after] = [boundaryBefore(text, at), boundaryAfter(text, at)]
        // The first character alone is cut in two rather than lost.
        if (before >= (ends[0] ?? 0)) expect(ends).toContain(before)
        if (at > 0) expect(ends).toContain(after)
        expect(before).toBeLessThanOrEqual(at)
        expect(after).toBeGreaterThanOrEqual(at)
        expect(text.slice(0, before).isWellFormed() && text.slice(after).isWellFormed()).toBe(true)
      }),
    )
  })
})

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
