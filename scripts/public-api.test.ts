import { describe, expect, it } from 'vitest'
import { apiPage } from './api-page.ts'
import { apiProblems } from './api-problems.ts'
import { declaredNames } from './declared-names.ts'
import { jsDocBefore } from './js-doc.ts'
import { type ApiExport, isValue, publicApi } from './public-api.ts'

const api = publicApi()

describe('what can be imported, read from the source', () => {
  it.each(api.map((entry) => [entry.name, entry] as const))(
    'is for %s what is there at run time',
    async (name, { exports }) => {
      const values = exports.filter(isValue).map((each) => each.name)
      expect(values.toSorted()).toEqual(Object.keys(await import(name)).toSorted())
    },
  )

  it('has a row for everything on the page', () => {
    const page = apiPage(api)
    for (const { exports } of api)
      for (const { name } of exports) expect(page).toContain(`| \`${name}\` |`)
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
    'export function count(of: Thing): Result<Amount> {',
    '  return hidden as Hidden',
    '}',
  ].join('\n')
  const at = text.indexOf('export')

  it('is read in its parts', () => {
    expect(jsDocBefore(text, at)).toEqual({
      prose: 'Counts 1.5 things. And more. See `other` and what follows.',
      sentence: 'Counts 1.5 things.',
      example: 'count(1)',
      see: ['other'],
    })
  })

  it('is that of its own declaration', () => {
    const below = `${text}\n\nexport const bare = 1`
    expect(jsDocBefore(below, below.lastIndexOf('export'))).toMatchObject({ sentence: '', see: [] })
  })

  it('stands before names that users see, and those alone are found', () => {
    expect(declaredNames(text, at)).toEqual(['Thing', 'Result', 'Amount'])
  })
})

describe('what an export lacks', () => {
  const sound: ApiExport = {
    ...{ name: 'count', kind: 'function', file: 'src/count.ts', names: [], methods: [] },
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
      'src/count.ts: count has no comment that says what it is for',
    ])
    expect(problems({ ...sound, example: '' })).toEqual([
      'src/count.ts: count has no @example, nor "See" to another',
    ])
    expect(problems({ ...sound, example: '', see: ['nobody'] })).toEqual([
      'src/count.ts: count leads to nobody, which has no example',
    ])
  })

  it('is not asked of types, whose fields say it', () => {
    expect(problems({ ...sound, kind: 'type', sentence: '', example: '' })).toEqual([])
  })
})
