/** The cases of a row of seeds, one after the other; each seed is its own run. */
import { fit as shipped } from 'throughline'
import { thrownDetail } from '../kernel/finding.ts'
import type { SeededRuns } from '../kernel/threads.ts'
import { type Case, randomCase } from './random-case.ts'
import { type Fit, runCase } from './run-case.ts'
import { runGrowing } from './run-growing.ts'
import { runStored } from './run-stored.ts'
import { nothingSeen, type Report, sumOf } from './tally.ts'

export async function runSeeds({ seed: first, runs }: SeededRuns): Promise<Report> {
  const reports: Report[] = []
  for (let seed = first; seed < first + runs; seed += 1) reports.push(await runSeed(seed))
  return sumOf(reports)
}

async function runSeed(seed: number): Promise<Report> {
  try {
    return await runMade(await randomCase(seed), shipped)
  } catch (cause) {
    // Making a case writes and reads with adapters, too: what they throw is a finding.
    const detail = `the case could not be made: ${thrownDetail(cause)}`
    const finding = {
      rule: 'error',
      windowTokens: 0,
      detail,
      rerun: `--seed ${seed} --runs 1`,
    } as const
    return { ...nothingSeen, cases: 1, findings: [finding] }
  }
}

const growingEvery = 7
const storedEvery = 11

/** Through a store, as it grows, or window by window: the seed says which. */
export function runMade(made: Case, fit: Fit): Promise<Report> {
  if (made.seed % storedEvery === 0) return runStored(made)
  return made.seed % growingEvery === 0 ? runGrowing(made, fit) : runCase(made, fit)
}
