import { describe, expect, it } from 'vitest'
import { KnownPaths } from './known-paths.ts'

function knowing(...runs: readonly string[]): KnownPaths {
  const paths = new KnownPaths()
  for (const run of runs) paths.add(run)
  return paths
}

describe('known paths', () => {
  const paths = knowing('/home/dev/app/src/quiet/hours.ts', 'lib/quiet/zones.ts', 'main.ts')

  it.each([
    '/home/dev/app/src/quiet/hours.ts',
    'app/src/quiet/hours.ts',
    'hours.ts',
    'src/quiet/hours',
    'hours',
    'dev/app',
    'main',
    // A known folder before the start of a known path.
    'src/lib/quiet/zones.ts',
    'quiet/main.ts',
    'quiet/main',
    'app/src/lib/quiet/main.ts',
  ])('contain %s', (run) => {
    expect(paths.has(run)).toBe(true)
  })

  it.each([
    'other.ts',
    'src/other.ts',
    'other/hours.ts',
    // Each pair is known, but not all three.
    'src/quiet/zones.ts',
    'lib/quiet/hours.ts',
    // Only the start of a path may follow a folder.
    'src/hours.ts',
    'lib/zones.ts',
    'hours.ts/quiet',
    'home/app',
    // More than two joints.
    'quiet/main.ts/main.ts/main.ts',
  ])('do not contain %s', (run) => {
    expect(paths.has(run)).toBe(false)
  })

  it('may be joined twice', () => {
    expect(paths.has('quiet/main.ts/main.ts')).toBe(true)
    expect(paths.has('quiet/lib/quiet/main')).toBe(true)
  })

  it('have at most 40 segments', () => {
    const segments = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`).join('/')
    const deep = knowing(segments(41))
    expect(deep.has(segments(40))).toBe(true)
    expect(deep.has(segments(41))).toBe(false)
    expect(deep.has('s40')).toBe(false)
    expect(deep.has('s39')).toBe(true)
  })

  it('are none of nothing', () => {
    expect(knowing('').has('')).toBe(false)
    expect(knowing('a').has('')).toBe(false)
  })
})
