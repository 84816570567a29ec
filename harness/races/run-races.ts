/** Runs of one seed: draws plans and schedules, plays each and audits it. */
import fc from 'fast-check'
import { type Finding, findingLine, sumFigures } from '../kernel/finding.ts'
import { lateModules } from '../kernel/late-modules.ts'
import { audit } from './audit.ts'
import type { Observed } from './observed.ts'
import { type RacePlan, racePlan } from './plan.ts'
import { type Planted, play } from './play.ts'

export interface RaceRuns {
  readonly seed: number
  readonly runs: number
  /** Also find the smallest plan that shows the first finding. */
  readonly shrink?: boolean | undefined
  readonly planted?: Planted | undefined
  /** End at the first finding, at the first of this rule, or never. */
  readonly until?: 'any' | 'end' | (string & {}) | undefined
}

export interface RaceReport {
  readonly figures: RaceFigures
  readonly findings: readonly Finding[]
  /** The plan and schedule of the first finding; null if there is none. */
  readonly example: string | null
}

/** `late`: commits after another engine's; `ahead`: summaries written in the background. */
type RaceFigures = ReturnType<typeof figuresOf>

export async function runRaces(options: RaceRuns): Promise<RaceReport> {
  const { seed, runs, planted, shrink = false, until = 'any' } = options
  await Promise.all(lateModules())
  const figures: RaceFigures[] = []
  const findings: Finding[] = []
  const property = fc.asyncProperty(racePlan, fc.scheduler(), async (plan, scheduler) => {
    const observed = await play(plan, scheduler, planted)
    const found = audit(observed)
    figures.push(figuresOf(observed))
    findings.push(...found)
    const isEnd = found.some(({ rule }) => until === 'any' || until === rule)
    if (isEnd) throw new Error(found.map(findingLine).join('\n'))
  })
  const checked = await fc.check(property, { seed, numRuns: runs, endOnFailure: !shrink })
  const { counterexample, counterexamplePath, errorInstance: error } = checked
  const example =
    counterexample === null
      ? null
      : `path ${counterexamplePath}\n${drawPlan(counterexample[0])}\n${fc.stringify(counterexample[1])}\n${String(error)}`
  return { figures: sumFigures(figures), findings, example }
}

function drawPlan({ actors, ...plan }: RacePlan): string {
  const lines = actors.map((operations, actor) =>
    [`actor ${actor}`, ...operations.map((each) => `  ${JSON.stringify(each)}`)].join('\n'),
  )
  return [JSON.stringify(plan), ...lines].join('\n')
}

function figuresOf(observed: Observed) {
  const { steps, log, contexts, commits, calls, summaries, engines } = observed
  const done = commits.filter(({ outcome }) => outcome.kind === 'committed')
  const summarized = done.flatMap(({ command: { changes } }) =>
    changes.summarized === undefined ? [] : [{ ...changes.summarized, view: changes.view }],
  )
  return {
    runs: 1,
    steps,
    messages: log.length,
    contexts: contexts.length,
    commits: done.length,
    late: commits.length - done.length,
    epochs: done.filter(({ command: { changes } }) => changes.view !== undefined).length,
    calls: calls.length,
    summaries: summaries.length,
    ahead: summarized.filter(({ record, view }) => record !== null && view === undefined).length,
    superseded: summarized.filter(({ summarization }) => summarization.why === 'superseded').length,
    crashes: engines.filter(({ fate }) => fate === 'crashed').length,
  }
}
