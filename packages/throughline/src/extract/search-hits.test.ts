import { describe, expect, it } from 'vitest'
import { isEmptyResult, searchHitsIn } from './search-hits.ts'

describe('searchHitsIn', () => {
  it.each([
    ['src/a.ts:1:x\nsrc/a.ts:9:y\nsrc/b.ts:3:z', 3, 2, 'src/a.ts', 'src/b.ts'],
    ['src/a.ts\nsrc/b.ts', 2, 2, 'src/a.ts', 'src/b.ts'],
    ['Found 2 files\nsrc/a.ts\nsrc/b.ts', 2, 2, 'src/a.ts', 'src/b.ts'],
    ['src/a.ts\n12:x\n14:y\n\nsrc/b.ts\n3:z', 3, 2, 'src/a.ts', 'src/b.ts'],
    [
      'Found 3 matches for pattern "x":\n---\nFile: src/a.ts\nL1: x\nL2: x\nL3: x',
      3,
      1,
      'src/a.ts',
    ],
    [
      'src/a.ts:4\nsrc/b.ts:1\n\nFound 5 total occurrences across 2 files.',
      5,
      2,
      'src/a.ts',
      'src/b.ts',
    ],
    ['Found 2 matches\nsrc/a.ts:\n  Line 1: x\n  Line 2: y', 2, 1, 'src/a.ts'],
    ['C:\\x\\a.ts:3: y', 1, 1, 'C:\\x\\a.ts'],
    ['No matches found', 0, 0],
    ['', 0, 0],
  ])('counts what was found: %j', (output, matches, files, ...paths) => {
    expect(searchHitsIn(output)).toEqual({ matches, files, paths })
  })

  it('recognises empty results', () => {
    for (const output of [
      '',
      'No files found',
      'No matches found',
      'Found 0 results',
      '[]',
      '0 hits',
    ])
      expect(isEmptyResult(output), output).toBe(true)
    for (const output of ['src/a.ts:1: no results', '10 results', 'src/none.ts'])
      expect(isEmptyResult(output), output).toBe(false)
  })

  it('takes no context line for the name of a file', () => {
    const output =
      'docs/a.md-296-before\ndocs/a.md:297:the hit\ndocs/a.md-298-\ndocs/a.md-299-behind'
    expect(searchHitsIn(output)).toEqual({ matches: 1, files: 1, paths: ['docs/a.md'] })
  })
})
