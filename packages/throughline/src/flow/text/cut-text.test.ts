import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, withoutEllipsis } from './excerpt.ts'

describe('a text that is cut', () => {
  it('is whole where it fits', () => {
    expect(cutText('abc', 3)).toBe('abc')
    expect(cutText('', -1)).toBe('')
  })

  it('says that more followed', () => {
    expect(cutText('abcdef', 5)).toBe('abc …')
    expect(cutText('abcdef', 5.9)).toBe('abc …')
  })

  it('is empty where there is room for the sign alone', () => {
    expect(cutText('abcdef', 2)).toBe('')
    expect(cutText('abcdef', -3)).toBe('')
  })

  it('says it once, though it was cut before', () => {
    expect(cutText('save it to… and more', 13)).toBe('save it to …')
    expect(cutText('save it to … and more', 14)).toBe('save it to …')
    expect(withoutEllipsis('to… …')).toBe('to')
    expect(withoutEllipsis('… a')).toBe('… a')
  })

  it('has no part of what a reader takes for one character', () => {
    expect(cutText('ab👨‍👩‍👧cdef', 8)).toBe('ab …')
    expect(cutText(`ab👨‍👩‍👧cdef`, 12)).toBe('ab👨‍👩‍👧 …')
    expect(cutText('a🇫🇷🇩🇪bcd', 9)).toBe('a🇫🇷 …')
  })

  it('is a beginning, no longer than it may be, without half a code point', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', '🚀', 'é', '中'), maxLength: 60 })
    fc.assert(
      fc.property(anyText, fc.integer({ min: -2, max: 70 }), (text, most) => {
        const cut = cutText(text, most)
        expect(cut.length).toBeLessThanOrEqual(Math.max(0, most))
        expect(cut.isWellFormed()).toBe(true)
        expect(text.startsWith(cut.replace(/ …$/, ''))).toBe(true)
      }),
    )
  })
})
