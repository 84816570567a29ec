/** Runs tests in a copy of the repository with Vitest: whether they pass, or which fails first. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export type Tested =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly test: string }
  /** Something other than a test failed, so the run shows nothing. */
  | { readonly kind: 'broken'; readonly output: string; readonly isEmpty: boolean }
  | { readonly kind: 'hung' }

/** A bug may cause an endless loop. */
const usuallyMs = 180_000

export async function runTests(
  root: string,
  tests: readonly string[],
  longestMs = usuallyMs,
): Promise<Tested> {
  const report = join(root, 'mutant-report.json')
  rmSync(report, { force: true })
  const list = join(root, 'mutant-tests.json')
  writeFileSync(list, JSON.stringify(tests))
  const options = [...reportTo(report), '--bail=1', '--maxWorkers=1']
  const env = { MUTANT_TESTS: list }
  const { output, isHung } = await vitest(root, [...options, ...tests], { longestMs, env })
  if (isHung) return { kind: 'hung' }
  const results = read(report)
  if (results === null || results.numTotalTests === 0)
    return { kind: 'broken', output, isEmpty: output.includes('No test files found') }
  const failed = results.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed')
  if (failed !== undefined) return { kind: 'failed', test: failed.fullName }
  return results.success
    ? { kind: 'passed' }
    : { kind: 'broken', output: `${output}${messages(results)}`, isEmpty: false }
}

/** Records in a folder which lines tests execute; returns the milliseconds of each file, and what failed. */
export async function runRecorded(
  root: string,
  tests: readonly string[],
  { folder, workers }: { readonly folder: string; readonly workers: number },
): Promise<RecordedRun> {
  const report = join(root, 'mutant-report.json')
  const env = { MUTANT_COVERAGE: folder }
  const options = [...reportTo(report), `--maxWorkers=${workers}`, ...tests]
  const { output } = await vitest(root, options, { longestMs: wholeMs, env })
  const results = read(report)
  if (results === null) throw new Error(`tests cannot run without any mutant:\n${output}`)
  const [failed, passed] = [true, false].map((isFailed) =>
    results.testResults.filter(({ status }) => (status === 'failed') === isFailed),
  )
  return {
    times: new Map(
      passed?.map(({ name, startTime, endTime }) => [relative(root, name), endTime - startTime]),
    ),
    failed: failed?.map(({ name }) => relative(root, name)) ?? [],
  }
}

interface RecordedRun {
  readonly times: ReadonlyMap<string, number>
  readonly failed: readonly string[]
}

const wholeMs = 600_000

function reportTo(file: string): readonly string[] {
  const config = 'scripts/mutants/vitest.config.ts'
  return ['run', '--root=.', `--config=${config}`, '--reporter=json', `--outputFile=${file}`]
}

interface Report {
  readonly success: boolean
  readonly numTotalTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly startTime: number
    readonly endTime: number
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

function messages({ testResults }: Report): string {
  return testResults.map(({ message }) => message).join('\n')
}

function read(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return null
  }
}

function vitest(
  root: string,
  options: readonly string[],
  {
    longestMs,
    env,
  }: { readonly longestMs: number; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly output: string; readonly isHung: boolean }> {
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(process.execPath, [program, ...options], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', ...env },
    // A process group, because one of its workers may never end.
    detached: true,
  })
  let output = ''
  let isHung = false
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const watch = setTimeout(() => {
    isHung = true
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, longestMs)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(watch)
      resolve({ output, isHung })
    })
  })
}
