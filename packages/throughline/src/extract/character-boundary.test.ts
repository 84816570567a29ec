import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundaryBefore, boundaryBehind } from './character-boundary.ts'

const family = '👨‍👩‍👧'

describe('where a text may be cut', () => {
  it('is any place between plain letters', () => {
    for (let at = 0; at <= 5; at += 1)
      expect([boundaryBefore('abc d', at), boundaryBehind('abc d', at)]).toEqual([at, at])
  })

  it('is not inside what a reader takes for one character', () => {
    const cases = [family, '🇫🇷', 'e\u0301', '👍🏽', '✈️']
    for (const each of cases) {
      const text = `ab${each}${each}c`
      for (let at = 3; at < 2 + each.length; at += 1) {
        expect(boundaryBefore(text, at)).toBe(2)
        expect(boundaryBehind(text, at)).toBe(2 + each.length)
      }
      for (const at of [2, 2 + each.length, 2 + 2 * each.length])
        expect([boundaryBefore(text, at), boundaryBehind(text, at)]).toEqual([at, at])
    }
    expect(boundaryBehind(`ab${family}`, 4)).toBe(2 + family.length)
  })

  it('is between code points where one letter has marks without end', () => {
    const text = `e${'\u0301'.repeat(500)}`
    expect([boundaryBefore(text, 10), boundaryBefore(text, 300)]).toEqual([10, 300])
    expect([boundaryBehind(text, 10), boundaryBehind(text, 300)]).toEqual([10, 300])
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
        const [before, behind] = [boundaryBefore(text, at), boundaryBehind(text, at)]
        // The first character alone is cut in two rather than lost.
        if (before >= (ends[0] ?? 0)) expect(ends).toContain(before)
        if (at > 0) expect(ends).toContain(behind)
        expect(before).toBeLessThanOrEqual(at)
        expect(behind).toBeGreaterThanOrEqual(at)
        expect(text.slice(0, before).isWellFormed() && text.slice(behind).isWellFormed()).toBe(true)
      }),
    )
  })
})
