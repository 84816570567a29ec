import fc from 'fast-check'
import o200k from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { cutLongRuns } from './cut-long-runs.ts'

const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }
const count = (text: string) => o200k.countTokens(text, plain)
const countCut = cutLongRuns(count)

/** The parts that are passed to the tokenizer. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  cutLongRuns((part) => parts.push(part))(text)
  return parts
}

describe('cutLongRuns', () => {
  it('passes a text without long runs as a whole', () => {
    const text = `${'Some words, 12345 and (symbols).\n'.repeat(2_000)}中文，标点。`
    expect(partsOf(text)).toEqual([text])
  })

  it('cuts a run of any kind into parts that join to the text', () => {
    const runs = ['a', 'aB', ' ', '\n', '.', '—', '中', '\u0301', 'e\u0301', '😀', '\n/', 'ก']
    for (const run of runs) {
      const text = `before ${run.repeat(4_000)} after`
      const parts = partsOf(text)
      expect(parts.join('')).toBe(text)
      expect(parts.length).toBeGreaterThan(10)
    }
  })

  it('never cuts a pair of surrogates', () => {
    const broken = /^[\udc00-\udfff]|[\ud800-\udbff]$/
    expect(partsOf('a'.repeat(99) + '😀'.repeat(2_000)).some((part) => broken.test(part))).toBe(
      false,
    )
  })

  it('counts lone surrogates, special tokens and nothing as plain text', () => {
    expect(countCut('')).toBe(0)
    expect(countCut('\ud800'.repeat(600))).toBeGreaterThan(0)
    expect(countCut('\udc00 a \ud800')).toBeGreaterThan(0)
    expect(countCut('<|endoftext|>')).toBeGreaterThan(1)
  })

  it('counts the same as the tokenizer where no run is long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        expect(countCut(text)).toBe(count(text))
      }),
    )
  })

  it('stays close to the exact count where it cuts', () => {
    for (const run of ['abcdefgh', '中文字符', 'XyZ']) {
      const text = run.repeat(500)
      expect(Math.abs(countCut(text) / count(text) - 1)).toBeLessThan(0.02)
    }
  })
})
