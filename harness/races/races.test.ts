import { expect, it } from 'vitest'
import { findingLine } from '../kernel/finding.ts'
import { runRaces } from './run-races.ts'

it('whatever the order, nothing is lost, left untold or told twice', async () => {
  const { findings, figures, example } = await runRaces({ seed: 2, runs: 20 })
  expect(findings.map(findingLine), example ?? '').toEqual([])
  // The runs were worth something.
  const { late, ahead, summaries, crashes, epochs } = figures
  expect(Math.min(late, ahead, summaries, crashes, epochs)).toBeGreaterThan(5)
})
