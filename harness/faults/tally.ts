/** Runs a planned run, applies all checks, and sums up the figures per fault. */
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
import { checkContexts, checkLog, checkSources, checkWords, repairedIn } from './check-content.ts'
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
  /** Summaries from an answer that was repaired or truncated. */
  repaired: 0,
  /** Contexts built while the breaker was open. */
  whileOpen: 0,
  /** The slowest of these, on a machine that is busy with other runs. */
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

/** In parallel: most of a run is waiting for a failing model. */
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
    repaired: repairedIn(observed),
    whileOpen: open.length,
    longestOpenMs: Math.round(Math.max(0, ...open.map(({ tookMs }) => tookMs))),
  }
}

export function sumOf(reports: readonly RunReport[]): FaultFigures {
  const all = reports.map(({ figures }) => figures)
  return sumFigures([noFigures, ...all], ['longestOpenMs'])
}

/** One row per fault. */
const columns = {
  runs: 'runs',
  messages: 'messages',
  contexts: 'contexts',
  compactions: 'compactions',
  requests: 'requests',
  faulty: 'faulty',
  summaries: 'summaries',
  repaired: 'repaired',
  whileOpen: 'breaker open',
  longestOpenMs: 'slowest open (ms)',
  findings: 'findings',
} as const

export function drawTable(reports: readonly RunReport[]): string {
  const byFault = Map.groupBy(reports, ({ run }) => run.fault)
  const rows = [
    ['fault', ...Object.values(columns)],
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
  return [
    name,
    ...(Object.keys(columns) as (keyof typeof columns)[]).map((column) =>
      figures[column].toLocaleString('en-US'),
    ),
  ]
}

/** Applies all checks to a run. */
export function checkObserved(observed: Observed): readonly Finding[] {
  return [
    ...checkLog(observed),
    ...checkWords(observed),
    ...checkSources(observed),
    ...checkTries(observed),
    ...checkStrict(observed),
    ...checkEnds(observed),
    ...checkContexts(observed),
    ...checkBreaker(observed),
    ...checkRecovery(observed),
    ...checkCompacted(observed),
  ]
}

/** A run must compact at least twice to test anything. */
function checkCompacted({ receipts }: Observed): readonly Finding[] {
  return receipts.length >= 2 ? [] : [finding('run', `compacted ${receipts.length} times`)]
}
