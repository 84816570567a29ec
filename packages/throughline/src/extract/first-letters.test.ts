import { describe, expect, it } from 'vitest'
import { byFirstLetters } from './first-letters.ts'

describe('byFirstLetters', () => {
  it('puts alternatives with the same first letter together', () => {
    expect(byFirstLetters(['must|may not', 'never', 'müssen'])).toBe('m(?:ust|ay not|üssen)|never')
  })

  it('unfolds a group that begins an alternative', () => {
    expect(byFirstLetters(['(?:i|we(?: all)?) want'])).toBe('i want|we(?: all)? want')
  })

  it('leaves what does not begin with a letter that must be there', () => {
    const sources = ['(?<!x)a', 'a?b', '[ab]|c', '(?:a|b)?c', '\\p{L}+|\\(|d']
    expect(byFirstLetters(sources)).toBe('c|d|(?<!x)a|a?b|[ab]|(?:a|b)?c|\\p{L}+|\\(')
  })

  it('finds the same as the alternatives do', () => {
    const sources = ["don'?t|do not(?! know)", '(?:use|change) only|only (?:use|if)|[(|]x']
    const [plain, grouped] = [sources.join('|'), byFirstLetters(sources)].map(
      (source) => new RegExp(`^(?:${source})$`),
    )
    for (const text of [
      "don't",
      'dont',
      'do not',
      'do not know',
      'use only',
      'only if',
      '|x',
      'use',
    ])
      expect([text, grouped?.test(text)]).toEqual([text, plain?.test(text)])
  })
})
