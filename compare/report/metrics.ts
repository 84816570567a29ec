/** The rows of the comparison: how each is computed from the runs of a method, and which end is better. */

import type { Outcome, Plan, Run } from '../plan.ts'
import type { Scores, Share } from '../replay/scoring.ts'

export interface Metric {
  readonly key: string
  readonly table: string
  readonly title: string
  readonly unit: 'share' | 'tokens' | 'per 100' | 'count' | 'ms' | 'MB' | '×'
  readonly better: 'higher' | 'lower' | null
  /** Null if no run has it. */
  readonly value: (runs: readonly Run[]) => number | null
}

type Scored = Extract<Outcome, { kind: 'scores' }>
type Timed = Extract<Outcome, { kind: 'times' }>['times']

const scored = (runs: readonly Run[], fault: string | null) =>
  runs.flatMap(({ plan, outcome }) =>
    outcome?.kind === 'scores' && (plan.part === 'data' ? fault === null : faultOf(plan) === fault)
      ? [outcome]
      : [],
  )

function faultOf(plan: Plan): string | null | undefined {
  return plan.part === 'work' ? plan.fault : undefined
}

type SharePick = (scores: Omit<Scores, 'last'>) => Share

const shareOf =
  (pick: SharePick, fault: string | null = null) =>
  (runs: readonly Run[]) => {
    const shares = scored(runs, fault).map(({ scores }) => pick(scores))
    const of = sum(shares.map((share) => share.of))
    return of === 0 ? null : sum(shares.map(({ found }) => found)) / of
  }

const sumOf =
  (pick: (outcome: Scored) => number, fault: string | null = null) =>
  (runs: readonly Run[]) => {
    const found = scored(runs, fault)
    return found.length === 0 ? null : sum(found.map(pick))
  }

const perRequest =
  (pick: (outcome: Scored) => number, times = 1) =>
  (runs: readonly Run[]) => {
    const requests = sumOf(({ played }) => played.requests)(runs)
    const total = sumOf(pick)(runs)
    return requests === null || total === null || requests === 0 ? null : (times * total) / requests
  }

const statements = (kinds: readonly string[]) => (runs: readonly Run[]) => {
  const found = runs.flatMap(({ outcome }) =>
    outcome?.kind === 'rules' ? kinds.flatMap((kind) => [outcome.shown[kind] ?? [0, 0]]) : [],
  )
  const of = sum(found.map(([, all]) => all))
  return of === 0 ? null : sum(found.map(([shown]) => shown)) / of
}

const show = 'What requests still show'
const requests = 'Requests'
const cost = 'Cost with the prompt cache'
const failing = 'A summarizer that fails'

const faultMetrics = (
  [
    ['rate-limit-ms', '429'],
    ['empty', 'empty answer'],
    ['lies', 'lies'],
  ] as const
).flatMap(([fault, name]): readonly Metric[] => [
  {
    key: `survival-${fault}`,
    table: failing,
    title: `names, ${name}`,
    unit: 'share',
    better: 'higher',
    value: shareOf(({ survival }) => survival, fault),
  },
  {
    key: `recall-${fault}`,
    table: failing,
    title: `facts, ${name}`,
    unit: 'share',
    better: 'higher',
    value: shareOf(({ recall }) => recall, fault),
  },
  {
    key: `failed-${fault}`,
    table: failing,
    title: `failed turns, ${name}`,
    unit: 'count',
    better: 'lower',
    value: sumOf(({ played }) => played.failedTurns, fault),
  },
])

export const qualityMetrics: readonly Metric[] = [
  {
    key: 'survival',
    table: show,
    title: 'names needed next',
    unit: 'share',
    better: 'higher',
    value: shareOf(({ survival }) => survival),
  },
  {
    key: 'edits',
    table: show,
    title: 'text of edits',
    unit: 'share',
    better: 'higher',
    value: shareOf(({ edits }) => edits),
  },
  {
    key: 'recall',
    table: show,
    title: 'facts asked for',
    unit: 'share',
    better: 'higher',
    value: shareOf(({ recall }) => recall),
  },
  {
    key: 'words',
    table: show,
    title: 'typed sentences',
    unit: 'share',
    better: 'higher',
    value: shareOf(({ words }) => words),
  },
  {
    key: 'rules',
    table: show,
    title: 'rules',
    unit: 'share',
    better: 'higher',
    value: statements(['rule']),
  },
  {
    key: 'decisions',
    table: show,
    title: 'decisions and refusals',
    unit: 'share',
    better: 'higher',
    value: statements(['decision', 'refusal']),
  },
  {
    key: 'tokens',
    table: show,
    title: 'mean tokens',
    unit: 'tokens',
    better: null,
    value: perRequest(({ scores }) => scores.tokens.sum),
  },
  {
    key: 'refused',
    table: requests,
    title: 'refused',
    unit: 'per 100',
    better: 'lower',
    value: perRequest(({ played }) => played.refused, 100),
  },
  {
    key: 'over',
    table: requests,
    title: 'over the window',
    unit: 'per 100',
    better: 'lower',
    value: perRequest(({ scores }) => scores.overWindow.found, 100),
  },
  {
    key: 'failed',
    table: requests,
    title: 'failed turns',
    unit: 'count',
    better: 'lower',
    value: sumOf(({ played }) => played.failedTurns),
  },
  {
    key: 'breaks',
    table: requests,
    title: 'prefix breaks',
    unit: 'per 100',
    better: 'lower',
    value: perRequest(({ scores }) => scores.billed.breaks, 100),
  },
  {
    key: 'false-words',
    table: requests,
    title: "sentences in the user's role that no user wrote",
    unit: 'share',
    better: 'lower',
    value: shareOf(({ falseWords }) => falseWords),
  },
  {
    key: 'unmarked-words',
    table: requests,
    title: 'the same, without a label',
    unit: 'share',
    better: 'lower',
    value: shareOf(({ unmarkedWords }) => unmarkedWords),
  },
  {
    key: 'replaced',
    table: requests,
    title: 'replaced rules shown as in force',
    unit: 'share',
    better: 'lower',
    value: statements(['replaced']),
  },
  ...faultMetrics,
  {
    key: 'made-up',
    table: failing,
    title: 'requests with made-up values, lies',
    unit: 'share',
    better: 'lower',
    value: shareOf(({ madeUp }) => madeUp, 'lies'),
  },
  {
    key: 'cost-5',
    table: cost,
    title: 'cost, 5 minutes',
    unit: 'tokens',
    better: 'lower',
    value: perRequest(({ scores }) => scores.billed.minutes.cost),
  },
  {
    key: 'fresh-5',
    table: cost,
    title: 'fresh',
    unit: 'tokens',
    better: null,
    value: perRequest(({ scores }) => scores.billed.minutes.fresh),
  },
  {
    key: 'read-5',
    table: cost,
    title: 'read, 5 minutes',
    unit: 'tokens',
    better: null,
    value: perRequest(({ scores }) => scores.billed.minutes.read),
  },
  {
    key: 'written-5',
    table: cost,
    title: 'written, 5 minutes',
    unit: 'tokens',
    better: null,
    value: perRequest(({ scores }) => scores.billed.minutes.written),
  },
  {
    key: 'cost-60',
    table: cost,
    title: 'cost, 1 hour',
    unit: 'tokens',
    better: 'lower',
    value: perRequest(({ scores }) => scores.billed.hour.cost),
  },
  {
    key: 'read-60',
    table: cost,
    title: 'read, 1 hour',
    unit: 'tokens',
    better: null,
    value: perRequest(({ scores }) => scores.billed.hour.read),
  },
  {
    key: 'written-60',
    table: cost,
    title: 'written, 1 hour',
    unit: 'tokens',
    better: null,
    value: perRequest(({ scores }) => scores.billed.hour.written),
  },
]

export const timeSizes = [100, 1_000, 10_000, 100_000] as const

/** For each size, over all rounds. */
export function timeMetrics(size: number): readonly Metric[] {
  const table = `One turn after ${size.toLocaleString('en-US')} messages`
  const timed = (runs: readonly Run[]) =>
    runs.flatMap(({ plan, outcome }) =>
      plan.part === 'times' && plan.messages === size && outcome?.kind === 'times'
        ? [outcome.times]
        : [],
    )
  const middle = (pick: (times: Timed) => number) => (runs: readonly Run[]) => {
    const values = timed(runs).map(pick)
    return values.length === 0 ? null : median(values)
  }
  const pooled = (of: (values: readonly number[]) => number) => (runs: readonly Run[]) => {
    const values = timed(runs).flatMap(({ turnsMs }) => turnsMs)
    return values.length === 0 ? null : of(values)
  }
  const cold = (runs: readonly Run[]) => {
    const values = runs.flatMap(({ plan, outcome }) =>
      plan.part === 'cold' && plan.messages === size && outcome?.kind === 'cold'
        ? [outcome.firstRequestMs]
        : [],
    )
    return values.length === 0 ? null : median(values)
  }
  const metric = (
    key: string,
    title: string,
    unit: Metric['unit'],
    value: Metric['value'],
  ): Metric => ({
    ...{ key: `${key}-${size}`, table, title, unit, value },
    better: 'lower',
  })
  return [
    metric('mean', 'mean', 'ms', pooled(mean)),
    metric(
      'p99',
      'p99',
      'ms',
      pooled((values) => quantile(values, 0.99)),
    ),
    metric(
      'first',
      'first turn after the load',
      'ms',
      middle(({ firstMs }) => firstMs),
    ),
    metric('cold', 'first request of a new process', 'ms', cold),
    metric(
      'memory',
      'peak memory',
      'MB',
      middle(({ peakBytes }) => peakBytes / 1e6),
    ),
    metric(
      'disk',
      'files',
      'MB',
      middle(({ diskBytes }) => diskBytes / 1e6),
    ),
  ]
}

export const metrics: readonly Metric[] = [...qualityMetrics, ...timeSizes.flatMap(timeMetrics)]

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.round(at * (sorted.length - 1))] ?? 0
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
