/** What runs have seen, summed up for each fault. */
import { modelFaults } from '../fault-server.ts'
import { sumFigures, thrownDetail } from '../kernel/finding.ts'
import {
  checkBreaker,
  checkEnds,
  checkRecovery,
  checkStrict,
  checkTries,
  stepsWhileOpen,
} from './check-breaker.ts'
import { checkContexts, checkLog, checkSaid, checkWords, mendedIn } from './check-said.ts'
import { observeRun } from './observe-run.ts'
import { type Finding, finding, type Observed } from './observed.ts'
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

type FaultFigures = Readonly<typeof noFigures>

/** @public Threads call it by its name. */
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

/** A row for each fault: what was tried, and what was found. */
const columns = [
  'runs',
  'messages',
  'contexts',
  'compactions',
  'requests',
  'faulty',
  'summaries',
  'mended',
  'whileOpen',
  'longestOpenMs',
  'findings',
] as const

export function drawTable(reports: readonly RunReport[]): string {
  const byFault = Map.groupBy(reports, ({ run }) => run.fault)
  const rows = [
    ['fault', ...columns],
    ...modelFaults.flatMap((fault) => {
      const of = byFault.get(fault) ?? []
      return of.length === 0 ? [] : [rowOf(fault, of)]
    }),
    rowOf('all', reports),
  ]
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths?.[0] ?? 0) : cell.padStart(widths?.[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}

function rowOf(name: string, reports: readonly RunReport[]): readonly string[] {
  const findings = reports.reduce((sum, report) => sum + report.findings.length, 0)
  const figures = { ...sumOf(reports), runs: reports.length, findings }
  return [name, ...columns.map((column) => figures[column].toLocaleString('en-US'))]
}

/** Everything that a run has to keep. */
export function checkObserved(observed: Observed): readonly Finding[] {
  return [
    ...checkLog(observed),
    ...checkWords(observed),
    ...checkSaid(observed),
    ...checkTries(observed),
    ...checkStrict(observed),
    ...checkEnds(observed),
    ...checkContexts(observed),
    ...checkBreaker(observed),
    ...checkRecovery(observed),
    ...checkCompacted(observed),
  ]
}

/** A run that compacts nothing, or meets no fault, shows nothing. */
function checkCompacted({ receipts }: Observed): readonly Finding[] {
  return receipts.length >= 2 ? [] : [finding('run', `compacted ${receipts.length} times`)]
}
