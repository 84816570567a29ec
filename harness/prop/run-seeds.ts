/** The cases of a row of seeds, one after the other; each seed is its own run. */
import { fit as shipped } from 'throughline'
import { type Case, randomCase } from './random-case.ts'
import { type Fit, runCase } from './run-case.ts'
import { runGrowing } from './run-growing.ts'
import { runStored } from './run-stored.ts'
import { type Finding, nothingSeen, type Report, sumOf } from './tally.ts'

export async function runSeeds(seeds: Iterable<number>): Promise<Report> {
  const reports: Report[] = []
  for (const seed of seeds) reports.push(await runSeed(seed))
  return sumOf(reports)
}

async function runSeed(seed: number): Promise<Report> {
  try {
    return await runMade(await randomCase(seed), shipped)
  } catch (cause) {
    // Making a case writes and reads with adapters, too: what they throw is a finding.
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    const detail = `the case could not be made: ${why.split('\n').slice(0, 6).join(' | ')}`
    const finding: Finding = { rule: 'error', seed, windowTokens: 0, detail }
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
