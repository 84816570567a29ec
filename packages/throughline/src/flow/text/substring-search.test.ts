import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { substringSearch } from './substring-search.ts'

describe('a search for many parts of one text', () => {
  it('finds what the text includes, and nothing else', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'é', '\ud83d'), maxLength: 40 })
    fc.assert(
      fc.property(text, text, fc.nat(40), fc.nat(40), (whole, other, from, length) => {
        const has = substringSearch(whole)
        const part = whole.slice(from, from + length)
        expect(has(part)).toBe(true)
        expect(has(other)).toBe(whole.includes(other))
      }),
    )
  })
})
