/** Records which tests call which source functions, and how long they take, in one run of all tests. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RandomMutant } from './random-mutants.ts'
import { runWhole } from './run-tests.ts'

export interface CoveringTests {
  /** Tests that call the changed function: those next to it first, then the fastest. */
  of(mutant: RandomMutant): readonly string[]
  millisecondsOf(tests: readonly string[]): number
}

interface Recorded {
  readonly test: string
  readonly called: readonly (readonly [string, readonly string[]])[]
}

export async function recordCoverage(root: string): Promise<CoveringTests> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-covered-'))
  try {
    const times = await runWhole(root, folder)
    const recorded = readdirSync(folder).map(
      (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded,
    )
    const called = new Map(recorded.map((each) => [each.test, new Map(each.called)]))
    const timeOf = (test: string) => times.get(test) ?? 0
    const of = ({ file, functions }: RandomMutant) => {
      const callers = (name: string | undefined) =>
        [...called.keys()].filter((test) => {
          const names = called.get(test)?.get(file)
          return names !== undefined && (name === undefined || names.includes(name))
        })
      const innermost = functions.find((name) => callers(name).length > 0)
      const isNear = (test: string) => dirname(test) === dirname(file)
      return callers(innermost).toSorted(
        (one, other) => Number(isNear(other)) - Number(isNear(one)) || timeOf(one) - timeOf(other),
      )
    }
    return {
      of,
      millisecondsOf: (tests) => tests.reduce((sum, test) => sum + timeOf(test), 0),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
