/**
 * Records which tests execute which lines of the mutated rooms, and how long they take. The recording is
 * kept: later runs record only test files that are new or changed.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isMutated, listedFiles } from './listed-files.ts'
import type { RandomMutant } from './random-mutants.ts'
import { runRecorded } from './run-tests.ts'

export interface CoveringTests {
  /** Tests that execute the changed line: those beside or above its file first (below it, if none is recorded), then the fastest. */
  of(mutant: RandomMutant): readonly string[]
  millisecondsOf(tests: readonly string[]): number
}

/** What `record-coverage.ts` writes for a test file. */
interface Run {
  readonly test: string
  readonly executed: readonly (readonly [file: string, lines: readonly number[]])[]
}

interface Recorded {
  readonly test: string
  /** The content of the test file, hashed. */
  readonly hash: string
  readonly milliseconds: number
  readonly executed: readonly ExecutedFile[]
}

/** A file that may be mutated, its content hashed, and the lines of it that the tests execute. */
type ExecutedFile = readonly [file: string, hash: string, lines: readonly number[]]

/** Few enough to finish soon after the time is up. */
const batchSize = 24

/**
 * Records in a copy of the repository, and keeps the recording in the repository itself. Only tests of
 * the package count: the harnesses run for minutes, and start programs that are not recorded.
 * Returns null if the time was up before all tests were recorded.
 */
export async function coveringTests(
  root: string,
  copy: string,
  {
    tests: asked,
    workers,
    endsAt,
  }: { readonly tests: RegExp; readonly workers: number; readonly endsAt: number },
): Promise<CoveringTests | null> {
  const files = listedFiles(root).filter((file) => existsSync(join(root, file)))
  const tests = new Map(
    files
      .filter((file) => /^packages\/throughline\/.*\.test\.ts$/.test(file))
      .map((file) => [file, hashOf(join(root, file))] as const),
  )
  const sources = new Map(
    files
      .filter((file) => isMutated(file))
      .map((file) => [file, hashOf(join(root, file))] as const),
  )
  const cache = join(root, 'node_modules/.cache/mutants')
  const kept = join(cache, 'recording.json')
  const recorded = [...read(kept)].filter(({ test, hash }) => tests.get(test) === hash)
  const isKnown = (file: string) => recorded.some(({ test }) => test === file)
  const unknown = [...tests.keys()].filter((file) => asked.test(file) && !isKnown(file))
  const failed: string[] = []
  mkdirSync(cache, { recursive: true })
  for (let from = 0; from < unknown.length; from += batchSize) {
    if (performance.now() >= endsAt) {
      console.log(`${unknown.length - from} test files are not recorded yet; run again to continue`)
      return null
    }
    const batch = await record(copy, unknown.slice(from, from + batchSize), {
      hashes: new Map([...tests, ...sources]),
      workers,
    })
    recorded.push(...batch.added)
    failed.push(...batch.failed)
    writeFileSync(kept, JSON.stringify(recorded))
  }
  // What passed is kept, so the next run repeats only these.
  if (failed.length > 0) throw new Error(`tests fail without any mutant: ${failed.join(', ')}`)
  const usable = recorded.filter(({ test }) => asked.test(test))
  return findCovering(usable, sources)
}

async function record(
  copy: string,
  files: readonly string[],
  { hashes, workers }: { readonly hashes: ReadonlyMap<string, string>; readonly workers: number },
): Promise<{ readonly added: readonly Recorded[]; readonly failed: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-covered-'))
  try {
    const { times, failed } = await runRecorded(copy, files, { folder, workers })
    const added = readdirSync(folder).flatMap((file) => {
      const { test, executed } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Run
      const milliseconds = times.get(test)
      if (milliseconds === undefined) return []
      const hashOf = (path: string) => hashes.get(path) ?? ''
      const hashed = executed.map(([path, lines]) => [path, hashOf(path), lines] as const)
      return [{ test, hash: hashOf(test), milliseconds, executed: hashed }]
    })
    return { added, failed }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function findCovering(
  recorded: readonly Recorded[],
  sources: ReadonlyMap<string, string>,
): CoveringTests {
  const times = new Map(recorded.map(({ test, milliseconds }) => [test, milliseconds]))
  const timeOf = (test: string) => times.get(test) ?? 0
  const executing = (path: string, line: number | null) =>
    recorded.flatMap(({ test, executed }) => {
      const [, hash, lines] = executed.find(([file]) => file === path) ?? []
      if (lines === undefined) return []
      // In a file that has changed since, the lines are others.
      return line === null || hash !== sources.get(path) || lines.includes(line) ? [test] : []
    })
  return {
    of: ({ file, line, isInFunction }) => {
      // Some lines of an executed statement are not recorded; those before them are.
      let [at, tests] = [line, executing(file, isInFunction ? line : null)]
      while (tests.length === 0 && at > 1) tests = executing(file, --at)
      // The recording is older than the file, or the file runs in a thread of its own.
      const isUnknown = tests.length === 0
      if (isUnknown) tests = recorded.map(({ test }) => test)
      const isNear = (test: string) =>
        file.startsWith(`${dirname(test)}/`) || (isUnknown && test.startsWith(`${dirname(file)}/`))
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

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)
}
