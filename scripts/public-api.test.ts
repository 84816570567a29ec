import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiProblems } from './api-problems.ts'
import { entryFiles, isValue, reportedExports } from './api-reports.ts'
import { readJsDoc } from './js-doc.ts'
import type { ApiExport } from './public-api.ts'

describe('the reported exports', () => {
  const entries = entryFiles()

  it.each(entries.map((entry) => [entry.name, entry] as const))(
    'of %s exist at run time',
    async (name, entry) => {
      const values = reportedExports(entry).filter(isValue)
      expect(values.map((each) => each.name).toSorted()).toEqual(
        Object.keys(await import(name)).toSorted(),
      )
    },
  )

  it('each have a row on the page', () => {
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

  it('is parsed into its parts', () => {
    expect(readJsDoc(text)).toEqual({
      prose: 'Counts 1.5 things. And more. See `other` and what follows.',
      sentence: 'Counts 1.5 things.',
      example: 'count(1)',
      see: ['other'],
    })
  })
})

describe('problems of an export', () => {
  const documented: ApiExport = {
    ...{ name: 'count', kind: 'function', file: 'src/count.ts', methods: [] },
    ...{ prose: 'Counts.', sentence: 'Counts.', example: 'count(1)', see: [] },
  }
  const problems = (...exports: readonly ApiExport[]) =>
    apiProblems([{ name: 'throughline', purpose: '', exports }])

  it('are none if it says what it is for and has an example or a reference to one', () => {
    const other: ApiExport = { ...documented, name: 'other', example: '', see: ['count'] }
    expect(problems(documented, other)).toEqual([])
  })

  it('name the file and the export', () => {
    expect(problems({ ...documented, sentence: '' })).toEqual([
      'src/count.ts: count has no comment that says what it is',
    ])
    expect(problems({ ...documented, example: '' })).toEqual([
      'src/count.ts: count has neither an @example nor a "See" reference',
    ])
    expect(problems({ ...documented, example: '', see: ['nobody'] })).toEqual([
      'src/count.ts: count refers to nobody, which has no example',
    ])
  })

  it('do not require an example for a type, only a description', () => {
    const type: ApiExport = { ...documented, kind: 'type', example: '' }
    expect(problems(type)).toEqual([])
    expect(problems({ ...type, sentence: '' })).toEqual([
      'src/count.ts: count has no comment that says what it is',
    ])
  })
})
