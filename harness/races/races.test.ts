import { expect, it } from 'vitest'
import { findingLine } from '../kernel/finding.ts'
import { runRaces } from './run-races.ts'

it('loses no message, covers each once, in any order of events', async () => {
  const { findings, figures, example } = await runRaces({ seed: 2, runs: 20 })
  expect(findings.map(findingLine), example ?? '').toEqual([])
  // The runs covered enough.
  const { late, ahead, summaries, crashes, epochs } = figures
  expect(Math.min(late, ahead, summaries, crashes, epochs)).toBeGreaterThan(5)
})
