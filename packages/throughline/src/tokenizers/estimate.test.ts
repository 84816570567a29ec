import fc from 'fast-check'
import o200k from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { corpusKinds } from '../bench/corpus-kinds.ts'
import { seededRandom } from '../bench/seeded-random.ts'
import { estimator } from './estimate.ts'

const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }
const exact = (text: string) => o200k.countTokens(text, plain)

const message = `I looked at the failing build. The cache key did not include the
lock file, so an old dependency was restored and the type check failed. I added the hash of
the lock file to the key; the next run should be green. Shall I open a pull request?`

describe('estimator', () => {
  it('is zero for nothing and one for one letter', () => {
    expect(estimator.count('')).toBe(0)
    expect(estimator.count('a')).toBe(1)
    expect(estimator.exact).toBe(false)
  })

  it('is over by less than a quarter on an English message', () => {
    const tokens = exact(message)
    expect(estimator.count(message)).toBeGreaterThanOrEqual(tokens)
    expect(estimator.count(message)).toBeLessThan(tokens * 1.25)
  })

  it('counts digits exactly', () => {
    expect(estimator.count('1234567890')).toBe(exact('1234567890'))
  })

  it('never exceeds the bytes of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(estimator.count(text)).toBeLessThanOrEqual(Buffer.byteLength(text))
      }),
    )
  })

  it('is not under on any text of any code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(estimator.count(text)).toBeGreaterThanOrEqual(exact(text))
      }),
      { numRuns: 1_000, seed: 20_261_115 },
    )
  })

  it('is not under on random printable text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 200 }), (text) => {
        expect(estimator.count(text)).toBeGreaterThanOrEqual(exact(text))
      }),
      { numRuns: 1_000, seed: 20_261_115 },
    )
  })

  it.each(Object.entries(corpusKinds))('is not under on %s', (kind, make) => {
    const random = seededRandom(`test ${kind}`)
    for (const length of [1, 3, 10, 30, 100, 300, 1_000, 3_000]) {
      const text = make(random, length)
      expect({ text, enough: estimator.count(text) >= exact(text) }).toEqual({ text, enough: true })
    }
  })

  it('takes time in proportion to the text, whatever the text', () => {
    for (const run of ['a', ' ', '\n', '—', '中', '\u0301', '😀', 'aB', '"', "'s"]) {
      const start = performance.now()
      estimator.count(run.repeat(200_000))
      expect(performance.now() - start).toBeLessThan(1_000)
    }
  })

  it('does not lose its margin when one misjudged word is repeated', () => {
    const text = 'zugzwang quixotic '.repeat(400)
    expect(estimator.count(text)).toBeGreaterThanOrEqual(exact(text))
  })
})
