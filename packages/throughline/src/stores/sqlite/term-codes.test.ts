import { describe, expect, it } from 'vitest'
import {
  codesCell,
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
    ['', '546850f88fea'],
    ['a', '1b55ccd2ea1f'],
    ['clock', 'b974c9a4d90c'],
    ['Zürich', '41efe4f6180f'],
    ['src/quiet/hours.ts', '30d277f3ab06'],
  ])('of %j is always %s', (term, code) => {
    expect(codeText(termCode(term))).toBe(code)
  })

  it('has twelve digits', () => {
    expect(codeText(0)).toBe('000000000000')
    expect(codeText(255)).toBe('0000000000ff')
    expect(codesQuery([1, 2])).toBe('"000000000001" "000000000002"')
  })

  it('is in a cell once, and has six bytes', () => {
    const cell = codesCell([1, 2 ** 48 - 1, 1])
    expect(cell).toHaveLength(12)
    expect(codesText(cell)).toBe('000000000001 ffffffffffff ')
    // A cell may be a part of a larger buffer.
    expect(codesText(cell.subarray(6))).toBe('ffffffffffff ')
    expect(codesCell([])).toHaveLength(0)
  })
})

describe('the codes of names', () => {
  const codesOf = (...runs: readonly string[]) => runs.map(termCode)

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
