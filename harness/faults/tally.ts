/** What runs have seen, summed up for each fault. */
import { stepsWhileOpen } from './check-breaker.ts'
import { checkObserved } from './check-observed.ts'
import { mendedIn } from './check-said.ts'
import { type Finding, finding } from './finding.ts'
import { observeRun } from './observe-run.ts'
import type { Observed } from './observed.ts'
import type { PlannedRun } from './planned-run.ts'

export interface RunReport {
  readonly run: PlannedRun
  readonly figures: Figures
  readonly findings: readonly Finding[]
}

export interface Figures {
  readonly messages: number
  readonly contexts: number
  readonly compactions: number
  readonly requests: number
  /** Requests that met the fault. */
  readonly faulty: number
  readonly summaries: number
  /** Summaries from an answer that was mended or cut. */
  readonly mended: number
  /** Contexts that were made with the breaker open. */
  readonly whileOpen: number
  /** The longest that one of these took, on a machine that is busy with other runs. */
  readonly longestOpenMs: number
}

const noFigures: Figures = {
  messages: 0,
  contexts: 0,
  compactions: 0,
  requests: 0,
  faulty: 0,
  summaries: 0,
  mended: 0,
  whileOpen: 0,
  longestOpenMs: 0,
}

export async function reportRun(run: PlannedRun): Promise<RunReport> {
  try {
    const observed = await observeRun(run)
    return { run, figures: figuresOf(observed), findings: checkObserved(observed) }
  } catch (cause) {
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    const detail = why.split('\n').slice(0, 5).join(' | ')
    return { run, figures: noFigures, findings: [finding('run', detail)] }
  }
}

function figuresOf(observed: Observed): Figures {
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

export function sumOf(reports: readonly RunReport[]): Figures {
  return reports.reduce<Figures>(
    (sum, { figures }) => ({
      messages: sum.messages + figures.messages,
      contexts: sum.contexts + figures.contexts,
      compactions: sum.compactions + figures.compactions,
      requests: sum.requests + figures.requests,
      faulty: sum.faulty + figures.faulty,
      summaries: sum.summaries + figures.summaries,
      mended: sum.mended + figures.mended,
      whileOpen: sum.whileOpen + figures.whileOpen,
      longestOpenMs: Math.max(sum.longestOpenMs, figures.longestOpenMs),
    }),
    noFigures,
  )
}
