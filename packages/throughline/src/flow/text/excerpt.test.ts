import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerpt, textStart } from './excerpt.ts'

/** Counters of different grain; each text has at least as many tokens as its pieces together. */
const counters = {
  characters: (text: string) => text.length,
  fours: (text: string) => Math.ceil(text.length / 4),
  bytes: (text: string) => new TextEncoder().encode(text).length,
}

// Not in any text that is made here.
const note = (characters: number) => `\u0000${characters}\u0000`

/** Beginning, number of characters left out, and end; null where the text is whole. */
function pieces(text: string): readonly [string, number, string] | null {
  const [head = '', leftOut, tail = ''] = text.split('\u0000')
  return leftOut === undefined ? null : [head, Number(leftOut), tail]
}

const words = fc.constantFrom(
  'a',
  'word',
  'über',
  '你好',
  '🚀',
  '👩‍👧',
  'x > y',
  '\n',
  '\r\n',
  ' ',
  '; ',
)
const anyText = fc.oneof(
  fc.array(words, { maxLength: 300, size: 'max' }).map((all) => all.join(' ')),
  fc.array(words, { maxLength: 300, size: 'max' }).map((all) => all.join('')),
  fc
    .string({ unit: 'grapheme', maxLength: 400, size: 'max' })
    .map((text) => text.replaceAll('\u0000', '')),
)

describe('an excerpt', () => {
  it.each(Object.entries(counters))('keeps no more %s than it may', (_, count) => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 8, max: 300 }), (text, keepTokens) => {
        const found = pieces(excerpt(text, { keepTokens, count, note }))
        if (found === null) return
        const [head, leftOut, tail] = found
        expect(count(head) + count(tail)).toBeLessThanOrEqual(keepTokens)
        expect(text.startsWith(head)).toBe(true)
        expect(text.endsWith(tail)).toBe(true)
        expect(leftOut).toBe(text.length - head.length - tail.length)
        expect(leftOut).toBeGreaterThan(0)
      }),
    )
  })

  it('is whole or has a note, and is whole only where the text fits', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 8, max: 300 }), (text, keepTokens) => {
        const cut = excerpt(text, { keepTokens, count: counters.characters, note })
        if (pieces(cut) === null) {
          expect(cut).toBe(text)
          expect(text.length).toBeLessThanOrEqual(keepTokens)
        }
      }),
    )
  })

  it('never cuts a character in two', () => {
    const emoji = fc.array(fc.constantFrom('🚀', '𓀀', 'a', ' '), {
      minLength: 20,
      maxLength: 200,
      size: 'max',
    })
    fc.assert(
      fc.property(emoji, fc.integer({ min: 8, max: 60 }), (all, keepTokens) => {
        const cut = excerpt(all.join(''), { keepTokens, count: counters.characters, note })
        expect(cut.isWellFormed()).toBe(true)
      }),
    )
  })

  it('never cuts inside a tag', () => {
    const tag = fc.constantFrom('<b>', '</b>', '<img src="cat.png" alt="A cat">', '<br/>', 'word ')
    const lines = fc.array(tag, { minLength: 10, maxLength: 200, size: 'max' })
    fc.assert(
      fc.property(lines, fc.integer({ min: 8, max: 400 }), (all, keepTokens) => {
        const found = pieces(
          excerpt(all.join(''), { keepTokens, count: counters.characters, note }),
        )
        for (const piece of [found?.[0] ?? '', found?.[2] ?? '']) {
          expect(piece.lastIndexOf('<')).toBeLessThanOrEqual(piece.lastIndexOf('>'))
          const opened = piece.indexOf('<')
          expect(opened === -1 ? piece.includes('>') : piece.indexOf('>') < opened).toBe(false)
        }
      }),
    )
  })

  it('cuts at the end of a line where one is near', () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index + 100} of the log`).join(
      '\n',
    )
    const [head, , tail] = pieces(
      excerpt(text, { keepTokens: 400, count: counters.characters, note }),
    ) ?? ['', 0, '']
    expect(head.endsWith('log\n')).toBe(true)
    expect(tail).toMatch(/^\nline \d+ of/)
  })

  it('keeps more of the beginning than of the end, and most of what it may', () => {
    const text = 'word '.repeat(2_000)
    const [head, , tail] = pieces(
      excerpt(text, { keepTokens: 1_000, count: counters.characters, note }),
    ) ?? ['', 0, '']
    expect(head.length).toBeGreaterThan(tail.length * 2)
    expect(head.length + tail.length).toBeGreaterThan(800)
  })

  it('is only a note where there is no room for words', () => {
    expect(excerpt('x'.repeat(99), { keepTokens: 7, count: counters.characters, note })).toBe(
      note(99),
    )
  })

  it.each([
    ['lines', 'A line of the log.\n'],
    ['one line', 'word '],
    ['one word', 'x'],
    ['what looks like tags that never end', '<a '],
    ['emoji', '🚀'],
  ])('of 64 MB of %s looks at little more than what it keeps', (_, unit) => {
    const text = unit.repeat(Math.ceil(64_000_000 / unit.length))
    let looked = 0
    const count = (piece: string) => {
      looked += piece.length
      return counters.fours(piece)
    }
    const cut = excerpt(text, { keepTokens: 1_000, count, note })
    expect(pieces(cut)).not.toBeNull()
    expect(looked).toBeLessThan(40_000)
  })

  it('finds its length by few looks, however many tokens a character has', () => {
    for (const perCharacter of [0.001, 0.02, 1, 3]) {
      let looks = 0
      const count = (piece: string) => {
        looks += 1
        return Math.ceil(piece.length * perCharacter)
      }
      const [head] = pieces(excerpt('x'.repeat(2_000_000), { keepTokens: 1_000, count, note })) ?? [
        '',
      ]
      expect(head.length * perCharacter).toBeGreaterThan(0.8 * 700)
      expect(looks).toBeLessThanOrEqual(24)
    }
  })

  it('is the whole text where that fits', () => {
    const text = Array.from({ length: 10 }, (_, index) => `line ${index} abc`).join('\n')
    const keepTokens = text.length
    expect(excerpt(text, { keepTokens, count: counters.characters, note })).toBe(text)
  })

  it('never cuts inside a tag of several lines', () => {
    const text = `${'word '.repeat(10)}<a\nhref="x"\nclass="house">${'word '.repeat(100)}`
    const [head] = pieces(excerpt(text, { keepTokens: 100, count: counters.characters, note })) ?? [
      '<',
    ]
    expect(head.lastIndexOf('<')).toBeLessThanOrEqual(head.lastIndexOf('>'))
  })
})

describe('a beginning', () => {
  it('is the text itself where it fits, and a beginning of it where not', () => {
    fc.assert(
      fc.property(anyText, fc.nat(300), (text, maxTokens) => {
        const start = textStart(text, maxTokens, counters.bytes)
        expect(text.startsWith(start)).toBe(true)
        expect(start.isWellFormed()).toBe(true)
        // A text that begins with a line break keeps that one, at the least.
        expect(counters.bytes(start)).toBeLessThanOrEqual(Math.max(1, maxTokens))
      }),
    )
  })
})
