import { describe, expect, it } from 'vitest'
import { cutTo, padEnd, padStart, widthOf, wrap } from './cells.ts'

describe('columns of a terminal', () => {
  it.each([
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['柵', 2],
    ['🎉', 2],
    ['👩‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇩🇪🇫🇷', 4],
    ['\u001b[1mbold\u001b[22m', 4],
    ['', 0],
  ])('%j takes %i', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  it('cuts by columns and never within a character', () => {
    expect(cutTo('a long title', 8, '…')).toBe('a long…')
    expect(cutTo('柵を直す', 6, '…')).toBe('柵を…')
    expect(cutTo('fits', 4, '…')).toBe('fits')
    expect(cutTo('anything', 2, '...')).toBe('..')
  })

  it('pads to columns', () => {
    expect(padEnd('柵', 4)).toBe('柵  ')
    expect(padStart('柵', 4)).toBe('  柵')
  })

  it('wraps between words, and breaks words that are longer than a line', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
    expect(wrap('柵を直す', 5)).toEqual(['柵を', '直す'])
    expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b'])
    expect(wrap('  indented code', 40)).toEqual(['  indented code'])
    for (const line of wrap('word '.repeat(100), 17)) expect(widthOf(line)).toBeLessThanOrEqual(17)
  })

  it('wraps a megabyte without spaces fast', () => {
    const started = performance.now()
    expect(wrap('x'.repeat(1_000_000), 5)).toHaveLength(200_000)
    expect(performance.now() - started).toBeLessThan(1_500)
  })
})
