import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { corpusKinds } from '../../../../bench/corpus-kinds.ts'
import { seededRandom } from '../../../../harness/kernel/chance.ts'
import { estimator } from './estimate.ts'
import { loadGptTokenizer } from './gpt.ts'

let exact: (text: string) => number

beforeAll(async () => {
  const gpt = await loadGptTokenizer('o200k_base')
  if (gpt === null) throw new Error('gpt-tokenizer is a development dependency')
  exact = (text) => gpt.count(text)
})

function expectNotTooLow(text: string): void {
  const counted = estimator.count(text)
  const tokens = exact(text)
  if (counted < tokens) expect.fail(`${counted} of ${tokens}: ${JSON.stringify(text.slice(0, 80))}`)
}

describe('estimator', () => {
  it.each([
    // [text, tokens, estimate]
    ['', 0, 0],
    ['The quick brown fox jumps over the lazy dog.', 10, 11],
    ['1234567890', 4, 4],
    ['Die Datei konnte nicht geöffnet werden.', 7, 8],
    ['const total = items.reduce((sum, item) => sum + item.price, 0)', 19, 20],
    ['😀😀😀', 3, 5],
    ['文件不存在，请检查路径。', 6, 9],
    ['xqzvbnmrtwpl', 9, 11],
  ])('counts %j, which is %i tokens, as %i', (text, tokens, estimate) => {
    expect([exact(text), estimator.count(text)]).toEqual([tokens, estimate])
  })

  it('is not too low for any code points, with lone surrogates', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), expectNotTooLow), {
      numRuns: 1_000,
      seed: 20_261_115,
    })
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }), (units) =>
        expectNotTooLow(String.fromCharCode(...units)),
      ),
      { numRuns: 1_000, seed: 20_261_115 },
    )
  })

  it('is not too low, nor above the bytes, for words, digits, symbols and space in any order', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.stringMatching(/^[a-zA-Z]{1,14}$/),
      fc.stringMatching(/^[0-9２²]{1,6}$/),
      fc.constantFrom(' ', '  ', '\n', '\r\n\t', "'s", "'LL", '--', '/', '<|endoftext|>', '中A'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        expectNotTooLow(text)
        expect(estimator.count(text)).toBeLessThanOrEqual(new TextEncoder().encode(text).length)
      }),
      { numRuns: 1_000, seed: 20_261_115 },
    )
  })

  it('is not too low for one or two repeated characters', () => {
    const character = fc.oneof(
      fc.integer({ min: 0, max: 0x33ff }),
      fc.integer({ min: 0x3400, max: 0x2ffff }),
    )
    fc.assert(
      fc.property(character, character, fc.integer({ min: 1, max: 300 }), (one, other, times) => {
        expectNotTooLow(String.fromCodePoint(one).repeat(times))
        expectNotTooLow(String.fromCodePoint(one, other).repeat(times))
      }),
      { numRuns: 300, seed: 20_261_115 },
    )
  })

  it.each([
    '😀',
    'ا',
    '你',
    '\x01',
    '\ud800',
    '-',
    '=',
    '─',
    ' ',
    '\n',
    '<|endoftext|>',
    'pvnxwvx ',
  ])('is not too low for %j a thousand times', (part) => expectNotTooLow(part.repeat(1_000)))

  it.each(Object.entries(corpusKinds))(
    'is neither too low nor far too high for %s',
    (kind, make) => {
      const random = seededRandom(`estimate ${kind}`)
      for (let sample = 0; sample < 6; sample += 1) {
        const text = make(random, 600)
        expectNotTooLow(text)
        expect(estimator.count(text)).toBeLessThanOrEqual(exact(text) * 1.4 + 4)
      }
    },
  )

  it('counts a text the same whatever was counted before', () => {
    const text = 'unverzüglich nachvollziehbar '.repeat(20)
    const first = estimator.count(text)
    estimator.count('etwas ganz anderes, nachvollziehbar')
    expect(estimator.count(text)).toBe(first)
  })

  it.each([
    ['one letter', 'a'],
    ['letters without case', '你好'],
    ['capitals after them', '中A'],
    ['space', ' '],
    ['breaks and blanks', '\n '],
    ['symbols and breaks', '-\n'],
    ['random letters', 'qzkxvbnwpfjhg'],
  ])('does work in proportion to the length of %s', (_, part) => {
    const work = [4_000, 16_000].map((length) => workOf(part.repeat(length / part.length)))
    expect(work[1]).toBeLessThan((work[0] ?? 0) * 4.5)
  })
})

/** Characters read and hashes computed, which take all of the time. */
function workOf(text: string): number {
  const spies = [
    vi.spyOn(String.prototype, 'charCodeAt'),
    vi.spyOn(String.prototype, 'codePointAt'),
    vi.spyOn(Math, 'imul'),
  ]
  try {
    estimator.count(text)
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
