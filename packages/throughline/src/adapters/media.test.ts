import { describe, expect, it } from 'vitest'
import { base64Of, bytesOfBase64, isAnyBase64, isBase64, isCanonicalBase64 } from './media.ts'

const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256)

describe('base64', () => {
  it('is what the platform would write, and decodes to the same bytes', () => {
    for (const length of [0, 1, 2, 3, 24_575, 24_576, 24_577, 100_000]) {
      const piece = bytes.subarray(0, length)
      expect(base64Of(piece)).toBe(Buffer.from(piece).toString('base64'))
      expect(bytesOfBase64(base64Of(piece))).toEqual(piece)
    }
  })

  it.each(['', 'AA==', 'AAA=', 'AAAA', '+/09'])('is %j', (text) => {
    expect([isBase64(text), isCanonicalBase64(text), isAnyBase64(text)]).toEqual([true, true, true])
  })

  it.each(['A', 'AA', 'AA=', 'A===', 'AA==AAAA', 'AA A', 'AAA.', 'ÄAAA', '===='])(
    'is not %j',
    (text) => expect([isBase64(text), isCanonicalBase64(text)]).toEqual([false, false]),
  )

  it('has one canonical spelling', () => {
    expect([isBase64('AB=='), isCanonicalBase64('AB==')]).toEqual([true, false])
    expect([isBase64('AAB='), isCanonicalBase64('AAB=')]).toEqual([true, false])
  })

  it('may have the URL alphabet and no padding if a service accepts any', () => {
    expect(['AA', 'AAA', '-_', 'a_-A', 'AA=='].map(isAnyBase64)).not.toContain(false)
    expect(['A', 'AA=', '-+AA', 'AAAAA', '!'].map(isAnyBase64)).not.toContain(true)
  })

  it('is checked quickly at any length', () => {
    const long = 'A'.repeat(40_000_000)
    expect([isBase64(long), isAnyBase64(`${long}_`), isAnyBase64(`${long}_/AA`)]).toEqual([
      true,
      false,
      false,
    ])
  })
})
