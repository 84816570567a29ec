import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { characterCount, cutCharacters, firstCharacters } from './turn-text.ts'

const family = '👨‍👩‍👧'

describe('characters', () => {
  it('X0-1: are code points', () => {
    expect(characterCount('añ字🍜')).toBe(4)
    expect(characterCount('e\u0301')).toBe(2)
    expect(characterCount('')).toBe(0)
  })

  it('are never split, and neither are graphemes', () => {
    expect(firstCharacters('ab🍜', 2)).toBe('ab')
    expect(firstCharacters('ab🍜', 3)).toBe('ab🍜')
    expect(firstCharacters('abe\u0301', 3)).toBe('ab')
    expect(firstCharacters(`ab${family}c`, 4)).toBe('ab')
    expect(firstCharacters(`ab${family}c`, 7)).toBe(`ab${family}`)
    expect(firstCharacters('a🇫🇷🇩🇪', 3)).toBe('a🇫🇷')
    expect(firstCharacters('a🇫🇷🇩🇪', 4)).toBe('a🇫🇷')
    expect(firstCharacters('abc', 0)).toBe('')
    expect(firstCharacters('abc', -1)).toBe('')
  })

  it('are split inside a letter with very many marks', () => {
    expect(firstCharacters(`e${'\u0301'.repeat(500)}`, 10)).toBe(`e${'\u0301'.repeat(9)}`)
  })

  it('are cut after a nearby word, with one `…`', () => {
    expect(cutCharacters('one two three', 13)).toBe('one two three')
    expect(cutCharacters('one two three', 12)).toBe('one two…')
    expect(cutCharacters('one two three', 8)).toBe('one two…')
    expect(cutCharacters('one two three', 7)).toBe('one…')
    expect(cutCharacters(`a ${'b'.repeat(60)}`, 42)).toBe('a…')
    expect(cutCharacters(`a ${'b'.repeat(60)}`, 43)).toBe(`a ${'b'.repeat(40)}…`)
    expect(cutCharacters('abc', 1)).toBe('…')
    expect(cutCharacters('abc', 0)).toBe('')
  })

  it('have one `…` after a repeated cut', () => {
    expect(cutCharacters('one two… three', 10)).toBe('one two…')
    expect(cutCharacters('one two … three', 11)).toBe('one two…')
    expect(cutCharacters('……', 1)).toBe('…')
  })

  it('have one `…` after a cut', () => {
    for (const text of ['one… two', 'one... two', 'one; two', 'one, · … two'])
      expect(cutCharacters(text, text.length - 1)).toBe('one…')
    expect(cutCharacters('one. two', 7)).toBe('one.…')
  })

  it('never exceed the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.nat(90), (text, most) => {
        const [first, cut] = [firstCharacters(text, most), cutCharacters(text, most)]
        expect(characterCount(first)).toBeLessThanOrEqual(most)
        expect(characterCount(cut)).toBeLessThanOrEqual(most)
        expect(text.startsWith(first)).toBe(true)
        expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true)
        if (characterCount(text) <= most) expect([first, cut]).toEqual([text, text])
      }),
    )
  })
})
