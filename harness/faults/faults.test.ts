import { describe, expect, it } from 'vitest'
import { modelFaults } from '../fault-server.ts'
import { type PlannedRun, plannedRun } from './planned-run.ts'
import { reportRuns, sumOf } from './tally.ts'

describe('whatever a model does', () => {
  it('loses no message or turn, shows no lie, and recovers after the fault', async () => {
    const runs = modelFaults.map((fault): PlannedRun => ({ ...plannedRun(fault, 1, 1), chance: 1 }))
    const reports = await reportRuns(runs)
    expect(reports.flatMap(({ findings }) => findings)).toEqual([])
    const { faulty, summaries, whileOpen } = sumOf(reports)
    expect(Math.min(faulty, summaries, whileOpen)).toBeGreaterThan(30)
    expect(reports.filter(({ figures }) => figures.faulty === 0)).toEqual([])
  }, 120_000)
})
