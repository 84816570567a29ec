import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiProblems } from './api-problems.ts'
import { entryFiles, isValue, reportedExports } from './api-reports.ts'
import { readJsDoc } from './js-doc.ts'
import type { ApiExport } from './public-api.ts'

describe('what can be imported, by the reports', () => {
  const entries = entryFiles()

  it.each(entries.map((entry) => [entry.name, entry] as const))(
    'is for %s what is there at run time',
    async (name, entry) => {
      const values = reportedExports(entry).filter(isValue)
      expect(values.map((each) => each.name).toSorted()).toEqual(
        Object.keys(await import(name)).toSorted(),
      )
    },
  )

  it('has a row for everything on the page', () => {
    const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'api.md'), 'utf8')
    for (const { name } of entries.flatMap(reportedExports))
      expect(page).toContain(`| \`${name}\` |`)
  })
})

describe('a comment', () => {
  const text = [
    '/**',
    ' * Counts 1.5 things. And more. See `other`',
    ' * and what follows.',
    ' *',
    ' * @example',
    ' * count(1)',
    ' */',
  ].join('\n')

  it('is read in its parts', () => {
    expect(readJsDoc(text)).toEqual({
      prose: 'Counts 1.5 things. And more. See `other` and what follows.',
      sentence: 'Counts 1.5 things.',
      example: 'count(1)',
      see: ['other'],
    })
  })
})

describe('what an export lacks', () => {
  const sound: ApiExport = {
    ...{ name: 'count', kind: 'function', file: 'src/count.ts', methods: [] },
    ...{ prose: 'Counts.', sentence: 'Counts.', example: 'count(1)', see: [] },
  }
  const problems = (...exports: readonly ApiExport[]) =>
    apiProblems([{ name: 'throughline', purpose: '', exports }])

  it('is nothing where it says what it is for and shows how, or where that stands', () => {
    const other: ApiExport = { ...sound, name: 'other', example: '', see: ['count'] }
    expect(problems(sound, other)).toEqual([])
  })

  it('is told by file and name', () => {
    expect(problems({ ...sound, sentence: '' })).toEqual([
      'src/count.ts: count has no comment that says what it is',
    ])
    expect(problems({ ...sound, example: '' })).toEqual([
      'src/count.ts: count has no @example, nor "See" to another',
    ])
    expect(problems({ ...sound, example: '', see: ['nobody'] })).toEqual([
      'src/count.ts: count leads to nobody, which has no example',
    ])
  })

  it('is an example in no type, but what it is', () => {
    const type: ApiExport = { ...sound, kind: 'type', example: '' }
    expect(problems(type)).toEqual([])
    expect(problems({ ...type, sentence: '' })).toEqual([
      'src/count.ts: count has no comment that says what it is',
    ])
  })
})
