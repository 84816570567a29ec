/**
 * The rows of the cost measure as tables: one per price list, each method relative to a sliding
 * window and ours compared with the others; then the causes of our prefix breaks.
 */

import {
  type CostMethod,
  costMethods,
} from '../../packages/throughline/src/cli/simulation/cost-session.ts'
import { grouped } from '../../packages/throughline/src/domain/text.ts'
import type { BenchRow, BenchTable } from '../report.ts'
import { breaksUnit, paidUnit, shareUnits, withoutCauseUnit } from './tally.ts'

export function costTables(rows: readonly BenchRow[]): readonly BenchTable[] {
  const groups = [
    ...Map.groupBy(rows, ({ source, size }) => JSON.stringify([source, size])).values(),
  ]
  return [
    pricesTable(groups, '', 'Cost relative to a sliding window; cached tokens cost a tenth.'),
    pricesTable(groups, paidUnit, 'The same with cache writes at 1.25 and five-minute gaps.'),
    breaksTable(groups),
  ]
}

type Group = readonly BenchRow[]

const compared = {
  full: 'full',
  forget: 'forgetting',
  summary: 'model-summary',
  ours: 'throughline',
} as const satisfies Record<string, CostMethod>

function pricesTable(groups: readonly Group[], ending: string, title: string): BenchTable {
  const shared = (unit: keyof typeof shareUnits) => `${shareUnits[unit]}${ending}`
  return {
    title,
    columns: ['source', 'window', ...Object.keys(compared), 'ours/forget', 'ours/summary'],
    rows: groups.map((group) => [
      ...named(group),
      ...Object.values(compared).map((method) => figure(group, method, shared('sliding'))),
      figure(group, 'throughline', shared('forgetting')),
      figure(group, 'throughline', shared('model-summary')),
    ]),
  }
}

function breaksTable(groups: readonly Group[]): BenchTable {
  return {
    title: 'Prefix breaks of ours per 100 requests.',
    columns: ['source', 'window', 'requests', 'breaks', 'without cause', 'by cause'],
    rows: groups.map((group) => {
      const causes = group.filter(({ unit, method }) => unit === breaksUnit && !isMethod(method))
      return [
        ...named(group),
        grouped(group.find(({ unit }) => unit === 'requests')?.value ?? 0),
        figure(group, 'throughline', breaksUnit),
        figure(group, 'throughline', withoutCauseUnit),
        causes.map(({ method, value }) => `${method} ${value.toFixed(1)}`).join(', '),
      ]
    }),
  }
}

function named([first]: Group): readonly string[] {
  return [first?.source ?? '', grouped(first?.size ?? 0)]
}

/** `–` if that method was not run. */
function figure(group: Group, method: string, unit: string): string {
  const row = group.find((each) => each.method === method && each.unit === unit)
  return row === undefined ? '–' : row.value.toFixed(2)
}

function isMethod(name: string): boolean {
  return costMethods.some((method) => method === name)
}
