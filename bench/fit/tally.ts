/** Sums up what a replay found, as rows. */

import { formats } from '../../packages/throughline/src/cli/simulation/checks.ts'
import { median } from '../../packages/throughline/src/cli/simulation/statistics.ts'
import type { BenchRow } from '../report.ts'
import { rowWriter } from '../row-writer.ts'

export const violationKinds: readonly string[] = [
  'over budget',
  'orphaned',
  ...formats.map(({ format }) => `refused by ${format}`),
  'different bytes the second time',
  'prefix break without a cause',
  'overflow error',
  'other error',
]

export interface FitTally {
  conversations: number
  requests: number
  /** Requests whose system prompt and tools alone exceed the budget. */
  impossible: number
  epochs: number
  readonly violations: Map<string, number>
  /** Prefix breaks, by cause. */
  readonly breaks: Map<string, number>
  readonly fills: number[]
  readonly fillsAfterEpoch: number[]
  readonly contextMs: number[]
  /** Characters of all requests, and of the prefixes shared with the previous request. */
  characters: number
  repeatedCharacters: number
}

export function emptyTally(): FitTally {
  return {
    conversations: 0,
    requests: 0,
    impossible: 0,
    epochs: 0,
    violations: new Map(),
    breaks: new Map(),
    fills: [],
    fillsAfterEpoch: [],
    contextMs: [],
    characters: 0,
    repeatedCharacters: 0,
  }
}

export function tallyRows(source: string, size: number, tally: FitTally): readonly BenchRow[] {
  const { requests, violations, breaks, fills, fillsAfterEpoch, contextMs } = tally
  const rowOf = rowWriter({ source, size, n: requests })
  const row = (value: number, unit: string, n = requests, method = 'throughline') =>
    rowOf(method, value, unit, n)
  const per100 = (count: number) => (100 * count) / Math.max(1, requests)
  const percent = (share: number) => 100 * share
  const began = fillsAfterEpoch.length
  const afterEpoch = [
    row(percent(Math.min(...fillsAfterEpoch)), '% full at the start of an epoch, minimum', began),
    row(percent(median(fillsAfterEpoch)), '% full at the start of an epoch, median', began),
  ]
  return [
    row(requests, 'requests', tally.conversations),
    ...(tally.impossible === 0
      ? []
      : [row(tally.impossible, 'requests whose prompt alone is too large')]),
    row(sumOf(violations.values()), 'violations'),
    ...[...violations].map(([kind, count]) => row(count, 'violations', requests, kind)),
    row(tally.epochs, 'epochs'),
    row(per100(sumOf(breaks.values())), 'prefix breaks per 100 requests'),
    ...[...breaks].map(([cause, count]) =>
      row(per100(count), 'prefix breaks per 100 requests', count, cause),
    ),
    row(percent(sumOf(fills) / Math.max(1, fills.length)), '% full, average'),
    ...(began === 0 ? [] : afterEpoch),
    row(
      percent(tally.repeatedCharacters / Math.max(1, tally.characters)),
      '% of the prompt repeats the previous one',
    ),
    row(median(contextMs), 'ms per context, median'),
  ]
}

/** All sources together: lists every kind, so that 0 means "checked, none found". */
export function violationRows(size: number, tallies: readonly FitTally[]): readonly BenchRow[] {
  const requests = sumOf(tallies.map((tally) => tally.requests))
  return violationKinds.map((kind) => ({
    source: 'all',
    method: kind,
    size,
    value: sumOf(tallies.map(({ violations }) => violations.get(kind) ?? 0)),
    unit: 'violations',
    n: requests,
  }))
}

function sumOf(values: Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}
