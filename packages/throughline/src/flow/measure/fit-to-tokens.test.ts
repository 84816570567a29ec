import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaults } from '../../defaults-data.ts'
import { counters } from '../digest/rule-digest.test-support.ts'
import { fitToTokens, withinTokens } from './fit-to-tokens.ts'

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

  it('has text before the mark also if joined texts have more tokens than their sum', () => {
    const joints = (text: string) => text.length + 40 * (text.match(/\w\n/g)?.length ?? 0)
    const fitted = fitToTokens('abcd'.repeat(99), 120, { text: joints })
    expect(fitted).toMatch(/^(?:abcd)+\w*\n\[Summary truncated\]$/)
    expect(joints(fitted)).toBeLessThanOrEqual(120)
  })

  it('is cut by a fifth up to 8 times, while there is room for a token', () => {
    const charactersWith = (jointTokens: number) => {
      const count = (text: string) => text.length + (/\w\n/.test(text) ? jointTokens : 0)
      return fitToTokens('abcd'.repeat(999), 1_020, { text: count }).length - 20
    }
    expect([0, 224, 550, 780, 800].map(charactersWith)).toEqual([970, 776, 396, 202, -1])
    expect(fitToTokens('abcd'.repeat(99), 6, fours)).toBe('abcd\n[Summary truncated]')
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

describe('a text that is made again until it fits', () => {
  const letters = { text: (text: string) => text.length }
  const least = defaults.summaryLeastTokens

  it('has as many characters as its tokens usually have', async () => {
    const make = (characters: number) => ({ text: 'x'.repeat(characters / 4), characters })
    expect(await withinTokens(100, 4, letters, make)).toMatchObject({ characters: 400 })
  })

  it('is shortened by its excess, and by a fifth at least', async () => {
    const asked: number[] = []
    const times = (factor: number) => (characters: number) => {
      asked.push(Math.round(characters))
      return { text: 'x'.repeat(characters * factor) }
    }
    expect((await withinTokens(1_000, 1, letters, times(4)))?.text).toHaveLength(1_000)
    expect((await withinTokens(1_000, 1, letters, times(1.1)))?.text).toHaveLength(880)
    expect(asked).toEqual([1_000, 250, 1_000, 800])
  })

  it('is given up after six tries, and not tried for too few tokens', async () => {
    let tries = 0
    const make = () => {
      tries += 1
      return { text: 'x'.repeat(9_999) }
    }
    expect(await withinTokens(least, 1, letters, make)).toBeNull()
    expect(tries).toBe(6)
    expect(await withinTokens(least - 1, 1, letters, make)).toBeNull()
    expect(tries).toBe(6)
    const fits = { text: 'x'.repeat(least) }
    expect(await withinTokens(least, 1, letters, () => fits)).toBe(fits)
  })
})
