/** What runs have seen, summed up for each fault. */
import { sumFigures, thrownDetail } from '../kernel/finding.ts'
import { stepsWhileOpen } from './check-breaker.ts'
import { checkObserved } from './check-observed.ts'
import { mendedIn } from './check-said.ts'
import { type Finding, finding } from './finding.ts'
import { observeRun } from './observe-run.ts'
import type { Observed } from './observed.ts'
import type { PlannedRun } from './planned-run.ts'

export interface RunReport {
  readonly run: PlannedRun
  readonly figures: FaultFigures
  readonly findings: readonly Finding[]
}

const noFigures = {
  messages: 0,
  contexts: 0,
  compactions: 0,
  requests: 0,
  /** Requests that met the fault. */
  faulty: 0,
  summaries: 0,
  /** Summaries from an answer that was mended or cut. */
  mended: 0,
  /** Contexts that were made with the breaker open. */
  whileOpen: 0,
  /** The longest that one of these took, on a machine that is busy with other runs. */
  longestOpenMs: 0,
}

export type FaultFigures = Readonly<typeof noFigures>

export async function reportRun(run: PlannedRun): Promise<RunReport> {
  try {
    const observed = await observeRun(run)
    const findings = checkObserved(observed).map((each) => ({ ...each, rerun: rerunOf(run) }))
    return { run, figures: figuresOf(observed), findings }
  } catch (cause) {
    return {
      run,
      figures: noFigures,
      findings: [{ ...finding('run', thrownDetail(cause)), rerun: rerunOf(run) }],
    }
  }
}

function rerunOf({ fault, name, seed }: PlannedRun): string {
  return `--seed ${seed} --fault ${fault} --run ${name.split(':')[1]}`
}

/** Side by side: most of a run is waiting for a model that fails. */
export const runsAtOnce = 8

export async function reportRuns(runs: readonly PlannedRun[]): Promise<readonly RunReport[]> {
  const waiting = runs.values()
  const reports: RunReport[] = []
  const work = async (): Promise<void> => {
    for (const run of waiting) reports.push(await reportRun(run))
  }
  await Promise.all(Array.from({ length: runsAtOnce }, work))
  return reports
}

function figuresOf(observed: Observed): FaultFigures {
  const served = observed.served.flat()
  const open = stepsWhileOpen(observed)
  return {
    messages: observed.log.length,
    contexts: observed.steps.length,
    compactions: observed.receipts.length,
    requests: served.length,
    faulty: served.filter(({ fault }) => fault !== null).length,
    summaries: observed.summaries.length,
    mended: mendedIn(observed),
    whileOpen: open.length,
    longestOpenMs: Math.round(Math.max(0, ...open.map(({ tookMs }) => tookMs))),
  }
}

export function sumOf(reports: readonly RunReport[]): FaultFigures {
  const all = reports.map(({ figures }) => figures)
  return sumFigures([noFigures, ...all], ['longestOpenMs'])
}
