import { describe, expect, it } from 'vitest'
import {
  codesQuery,
  codesText,
  codeText,
  isOneRun,
  nameCodes,
  partCodes,
  termCode,
} from './term-codes.ts'

describe('the code of a term', () => {
  // Files contain these codes: with others, nothing in an older file would be found.
  it.each([
    ['', 1_744_343_018],
    ['a', 2_610_096_671],
    ['clock', 4_374_976_780],
    ['Zürich', 6_865_426_447],
    ['src/quiet/hours.ts', 1_811_131_142],
  ])('of %j is always %d', (term, code) => {
    expect(termCode(term)).toBe(code)
  })

  it('has three characters of two bytes', () => {
    const texts = [0, 1, 1_920, 1_920 ** 3 - 1].map(codeText)
    expect(texts).toEqual(['\x80\x80\x80', '\x80\x80\x81', '\x80\x81\x80', '\u07ff\u07ff\u07ff'])
    expect(texts.map((text) => Buffer.byteLength(text))).toEqual([6, 6, 6, 6])
    expect(codesQuery([0, 1])).toBe(`"${texts[0]}" "${texts[1]}"`)
  })

  it('is separated by spaces in a cell', () => {
    expect(codesText(new Set([0, 1]))).toBe(`${codeText(0)} ${codeText(1)} `)
    expect(codesText(new Set())).toBe('')
  })
})

describe('the codes of names', () => {
  const codesOf = (...runs: readonly string[]) => runs.map((run) => termCode(run))

  it('are those of each three characters of a name', () => {
    expect([...nameCodes('abcd\nxy\nefg')]).toEqual(codesOf('abc', 'bcd', 'efg'))
    expect([...nameCodes('a👩b👧')]).toEqual(codesOf('a👩b', '👩b👧'))
    expect([...nameCodes('')]).toEqual([])
  })

  it('are those of the last three characters of a part, and of up to twelve other runs', () => {
    const text = Array.from({ length: 40 }, (_, at) => String.fromCodePoint(0x4e00 + at))
    const runAt = (at: number) => termCode(text.slice(at, at + 3).join(''))
    const starts = (length: number) => {
      const codes = partCodes(text.slice(0, length).join(''))
      const found = text.map((_, at) => at).filter((at) => codes.has(runAt(at)))
      expect(found).toHaveLength(codes.size)
      return found
    }
    expect(starts(3)).toEqual([0])
    expect(starts(4)).toEqual([0, 1])
    expect(starts(15)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(starts(16)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13])
    expect(starts(33)).toEqual([0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 25, 27, 30])
  })

  it('decide alone for a part of three characters', () => {
    expect(['ab', 'abc', 'a👩b', 'abcd'].map(isOneRun)).toEqual([false, true, true, false])
  })
})
