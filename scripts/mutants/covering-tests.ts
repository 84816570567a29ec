/**
 * Records which tests execute which source lines, and how long they take. The recording is kept: later runs
 * record only test files that changed, until another file changes.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listedFiles } from './listed-files.ts'
import type { RandomMutant } from './random-mutants.ts'
import { runRecorded } from './run-tests.ts'

export interface CoveringTests {
  /** Tests that execute the changed line: those next to it first, then the fastest. */
  of(mutant: RandomMutant): readonly string[]
  millisecondsOf(tests: readonly string[]): number
}

interface Recorded {
  readonly test: string
  /** The content of the test file, hashed. */
  readonly hash: string
  readonly milliseconds: number
  readonly executed: readonly (readonly [string, readonly number[]])[]
}

/** Records in a copy of the repository, and keeps the recording in the repository itself. */
export async function coveringTests(root: string, copy: string): Promise<CoveringTests> {
  const files = listedFiles(root)
  const hashes = new Map(
    files.flatMap((file) => {
      const hash = hashOf(join(root, file))
      return hash === null ? [] : [[file, hash] as const]
    }),
  )
  const isTest = (file: string) => file.endsWith('.test.ts')
  // Documents and scripts do not change which lines a test executes.
  const others = [...hashes].filter(([file]) => !isTest(file) && !/^scripts\/|\.md$/.test(file))
  const cache = join(root, 'node_modules/.cache/mutants')
  const kept = join(cache, `${hashText(JSON.stringify(others))}.json`)
  const known = read(kept).filter(({ test, hash }) => hashes.get(test) === hash)
  const unknown = [...hashes.keys()].filter(
    (file) => isTest(file) && !known.some(({ test }) => test === file),
  )
  const { added, failed } = await record(copy, unknown, hashes)
  const recorded = [...known, ...added]
  mkdirSync(cache, { recursive: true })
  writeFileSync(kept, JSON.stringify(recorded))
  // What passed is kept, so the next run repeats only these.
  if (failed.length > 0) throw new Error(`tests fail without any mutant: ${failed.join(', ')}`)
  return findCovering(recorded)
}

async function record(
  copy: string,
  tests: readonly string[],
  hashes: ReadonlyMap<string, string>,
): Promise<{ readonly added: readonly Recorded[]; readonly failed: readonly string[] }> {
  if (tests.length === 0) return { added: [], failed: [] }
  const folder = mkdtempSync(join(tmpdir(), 'throughline-covered-'))
  try {
    const { times, failed } = await runRecorded(copy, tests, folder)
    const added = readdirSync(folder).flatMap((file) => {
      const { test, executed } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded
      const milliseconds = times.get(test)
      return milliseconds === undefined
        ? []
        : [{ test, hash: hashes.get(test) ?? '', milliseconds, executed }]
    })
    return { added, failed }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function findCovering(recorded: readonly Recorded[]): CoveringTests {
  const byTest = new Map(
    recorded.map(({ test, executed }) => [
      test,
      new Map(executed.map(([file, lines]) => [file, new Set(lines)])),
    ]),
  )
  const times = new Map(recorded.map(({ test, milliseconds }) => [test, milliseconds]))
  const timeOf = (test: string) => times.get(test) ?? 0
  const executing = (file: string, line: number | null) =>
    [...byTest.keys()].filter((test) => {
      const lines = byTest.get(test)?.get(file)
      return lines !== undefined && (line === null || lines.has(line))
    })
  return {
    of: ({ file, line, isInFunction }) => {
      // Some lines of an executed statement are not recorded; those before them are.
      let [at, tests] = [line, executing(file, isInFunction ? line : null)]
      while (tests.length === 0 && at > 1) tests = executing(file, --at)
      const isNear = (test: string) => dirname(test) === dirname(file)
      return tests.toSorted(
        (one, other) => Number(isNear(other)) - Number(isNear(one)) || timeOf(one) - timeOf(other),
      )
    },
    millisecondsOf: (tests) => tests.reduce((sum, test) => sum + timeOf(test), 0),
  }
}

function read(file: string): readonly Recorded[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[]
  } catch {
    return []
  }
}

function hashOf(file: string): string | null {
  try {
    return hashText(readFileSync(file))
  } catch {
    // Deleted, but not yet in a commit.
    return null
  }
}

function hashText(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
