/** Planned runs side by side, a few at a time: most of a run is waiting for a model that fails. */
import type { PlannedRun } from './planned-run.ts'
import { type RunReport, reportRun } from './tally.ts'

const atOnce = 8

export async function runPlanned(
  runs: readonly PlannedRun[],
  done: (report: RunReport) => void = () => {},
): Promise<readonly RunReport[]> {
  const waiting = runs.values()
  const reports: RunReport[] = []
  const work = async (): Promise<void> => {
    for (const run of waiting) {
      const report = await reportRun(run)
      reports.push(report)
      done(report)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return reports
}
