import { describe, expect, it } from 'vitest'
import { patchHunksOf } from './patched-files.ts'

describe('hunks of a patch', () => {
  it('have the lines before and after the change, in the format of "apply patch"', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '@@ class A',
      ' keep',
      '-old',
      '+new',
      '*** Add File: src/b.ts',
      '+first',
      '+second',
      '*** Delete File: src/c.ts',
      '*** End Patch',
    ].join('\n')
    expect(patchHunksOf(patch)).toEqual([
      {
        path: 'src/a.ts',
        before: ['keep', 'old'],
        after: ['keep', 'new'],
        firstLine: null,
        isNew: false,
      },
      { path: 'src/b.ts', before: [], after: ['first', 'second'], firstLine: null, isNew: true },
    ])
  })

  it('have the number of their first line in a unified diff, and end with the next file', () => {
    const patch = [
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -3,2 +5,2 @@',
      ' keep',
      '-old',
      '+new',
      '--- a/src/b.ts',
      '+++ b/src/b.ts',
      '@@ -1 +1 @@',
      '-x',
      '+y',
    ].join('\n')
    const [first, second] = patchHunksOf(patch)
    expect(first).toMatchObject({ before: ['keep', 'old'], after: ['keep', 'new'], firstLine: 5 })
    expect(second).toMatchObject({ path: 'src/b.ts', before: ['x'], after: ['y'], firstLine: 1 })
  })
})
