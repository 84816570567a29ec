import { describe, expect, it } from 'vitest'
import { entry } from './ledger.test-support.ts'
import { rootOf, workingFolderOf } from './merge-files.ts'

const files = (...labels: readonly string[]) => labels.map((label) => entry({ label }))

describe('the root of files', () => {
  it('is the deepest folder that most of them lie in', () => {
    expect(rootOf(files('/home/ada/a/x.ts', '/home/ada/a/b/y.ts', '/home/ada/a/b/z.ts'))).toBe(
      '/home/ada/a/',
    )
  })

  it('is none for one file, relative names, and what was only mentioned', () => {
    expect(rootOf(files('/home/ada/x.ts'))).toBe('')
    expect(rootOf(files('src/x.ts', 'src/y.ts'))).toBe('')
    const named = files('/home/ada/x.ts', '/home/ada/y.ts').map((one) => ({ ...one, value: '' }))
    expect(rootOf(named)).toBe('')
  })

  it('may leave some out, and is never the top', () => {
    expect(rootOf(files('/w/p/a', '/w/p/b', '/w/p/c', '/etc/hosts'))).toBe('/w/p/')
    expect(rootOf(files('/a', '/b', '/c'))).toBe('')
  })
})

describe('the folder that names are relative to', () => {
  it('is the folder of most files that are named in both forms', () => {
    const paths = ['/w/p/src/a', '/w/p/src/b', '/w/q/x/src/a', 'src/a', 'src/b']
    expect(workingFolderOf(paths, '')).toBe('/w/p/')
  })

  it('is the root or above it', () => {
    expect(workingFolderOf(['/w/p/src/a', 'src/a'], '/w/p/src/')).toBe('/w/p/')
    expect(workingFolderOf(['/w/p/x/src/a', 'src/a'], '/w/p/')).toBe('')
  })

  it('is empty if no name shows it', () => {
    expect(workingFolderOf(['/w/p/a', 'a', 'src/b'], '')).toBe('')
  })
})
