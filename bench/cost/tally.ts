/** What the requests of a source cost with each method, as rows. */
import { Bill, type PriceList } from '../../packages/throughline/src/cli/simulation/bill.ts'
import type {
  Bills,
  CostMethod,
} from '../../packages/throughline/src/cli/simulation/cost-session.ts'
import type { BenchRow } from '../report.ts'
import { rowWriter } from '../row-writer.ts'

/** Of a program that uses our engine. */
export interface OurTally {
  /** Requests whose system prompt and tools alone exceed the budget. */
  impossible: number
  /** Prefix breaks of ours without a named cause. */
  withoutCause: number
  /** Prefix breaks of ours, by the cause that the context names. */
  readonly causes: Map<string, number>
  /** The share of the available tokens that a request uses, from the first compaction on. */
  readonly fills: number[]
}

export interface CostTally extends OurTally {
  conversations: number
  requests: number
  readonly bills: Bills
  /** The same requests of a program that does not report its provider's usage. */
  readonly unreported: OurTally & { readonly bill: Bill }
}

const emptyTally = (): OurTally => ({
  impossible: 0,
  withoutCause: 0,
  causes: new Map(),
  fills: [],
})

export function emptyCostTally(methods: readonly CostMethod[]): CostTally {
  return {
    ...emptyTally(),
    conversations: 0,
    requests: 0,
    unreported: { ...emptyTally(), bill: new Bill() },
    bills: Object.fromEntries(methods.map((method) => [method, new Bill()])),
  }
}

/** The suffix of units in the second price list. */
export const paidUnit = ', cache writes at 1.25 and five-minute gaps'

export const shareUnits = {
  sliding: '× sliding',
  forgetting: '× forgetting',
  'model-summary': '× model-summary',
} as const satisfies Partial<Record<CostMethod, string>>

export const breaksUnit = 'prefix breaks per 100 requests'
/** Providers report usage with each reply, and our adapters pass it on; a program may not. */
const unreportedMethod = 'throughline, usage not reported'
const fillUnit = 'of the available tokens used after the first compaction'

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

export const withoutCauseUnit = 'prefix breaks without a cause'

export function costRows(source: string, size: number, tally: CostTally): readonly BenchRow[] {
  const { bills, causes, conversations, impossible, withoutCause, requests, fills } = tally
  const { unreported } = tally
  if (requests === 0) return []
  const row = rowWriter({ source, size, n: requests })
  const per100 = (count: number) => (100 * count) / requests
  const billed = { ...bills, ...(bills.throughline && { [unreportedMethod]: unreported.bill }) }
  const ofMethods = Object.entries(billed).flatMap(([method, bill]) => [
    ...(['plain', 'paid'] as const).flatMap((list) => {
      const ending = list === 'plain' ? '' : paidUnit
      return [
        row(method, bill.cost(list) / requests, `tokens billed per request${ending}`),
        ...sharesOf(bill, bills, list).map(([unit, share]) =>
          row(method, share, `${unit}${ending}`),
        ),
      ]
    }),
    row(method, per100(bill.breaks), breaksUnit),
    row(method, bill.mostTokens, 'tokens of the largest request'),
    ...(bill.summaries === 0 ? [] : [row(method, bill.summaries, 'billed summaries')]),
  ])
  const [first] = Object.values(bills)
  return [
    row('throughline', requests, 'requests', conversations),
    ...(impossible === 0
      ? []
      : [row('throughline', impossible, 'requests whose prompt alone is too large')]),
    row('throughline', first?.cold ?? 0, 'requests after more than five minutes'),
    ...ofMethods,
    ...[...causes].sort().map(([cause, count]) => row(cause, per100(count), breaksUnit, count)),
    row('throughline', withoutCause, withoutCauseUnit),
    row(unreportedMethod, unreported.withoutCause, withoutCauseUnit),
    row('throughline', meanOf(fills), fillUnit, fills.length),
    row(unreportedMethod, meanOf(unreported.fills), fillUnit, unreported.fills.length),
  ]
}

/** Relative to the cost of the other methods that were run. */
function sharesOf(
  bill: Bill,
  bills: Bills,
  list: PriceList,
): readonly (readonly [string, number])[] {
  return Object.entries(shareUnits).flatMap(([method, unit]) => {
    const other = bills[method as CostMethod]
    return other === undefined ? [] : [[unit, bill.cost(list) / other.cost(list)] as const]
  })
}
