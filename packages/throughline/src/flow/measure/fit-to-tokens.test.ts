import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { counters } from '../digest/rule-digest.test-support.ts'
import { fitToTokens } from './fit-to-tokens.ts'

const fours = { text: counters.fours }

describe('a text within so many tokens', () => {
  it('changes nothing that fits, to the token', () => {
    expect(fitToTokens('abcd'.repeat(10), 10, fours)).toBe('abcd'.repeat(10))
  })

  it('X2-2, S2-059: has the mark inside the limit', () => {
    const fitted = fitToTokens('abcd'.repeat(2_000), 400, fours)
    expect(fitted.endsWith('\n[Summary truncated]')).toBe(true)
    expect(fours.text(fitted)).toBeLessThanOrEqual(400)
    expect(fours.text(fitted)).toBeGreaterThan(320)
  })

  it('is the mark alone, or nothing, where there is no room', () => {
    expect(fitToTokens('abcd'.repeat(99), 5, fours)).toBe('[Summary truncated]')
    for (const mostTokens of [4, 0, -7])
      expect(fitToTokens('abcd'.repeat(99), mostTokens, fours)).toBe('')
  })

  it.each(Object.entries(counters))('X2-2: never has more, counted in %s', (_, text) => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 900 }),
        fc.nat(4_000),
        (words, mostTokens) => {
          const fitted = fitToTokens(words.repeat(3), mostTokens, { text })
          expect(fitted === '' || text(fitted) <= mostTokens).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})
