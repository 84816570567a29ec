/** What the requests of a source cost by each way to make them, and as rows. */
import type { baselines } from './cost-baselines.ts'
import { Bill } from './cost-bill.ts'
import type { BenchRow } from './report.ts'

export type CostMethod = keyof typeof baselines | 'throughline'

export interface CostTally {
  conversations: number
  /** Requests whose system prompt and tools alone are larger than what is available. */
  impossible: number
  /** Of ours that does not begin with all of the one before, and no cause is named. */
  withoutCause: number
  /** Of ours, by the cause that the context names. */
  readonly causes: Map<string, number>
  readonly bills: Readonly<Record<CostMethod, Bill>>
}

export function emptyCostTally(): CostTally {
  return {
    conversations: 0,
    impossible: 0,
    withoutCause: 0,
    causes: new Map(),
    bills: {
      'full history': new Bill(),
      'sliding window': new Bill(),
      forgetting: new Bill(),
      'model summary': new Bill(),
      throughline: new Bill(),
    },
  }
}

const shares = {
  free: { prompts: 'of the sliding window', replies: 'of the sliding window, with replies' },
  paid: {
    prompts: 'of the sliding window, cache writes at 1.25',
    replies: 'of the sliding window, cache writes at 1.25, with replies',
  },
} as const
const breaksUnit = 'prefix breaks per 100 requests'

export function costRows(source: string, size: number, tally: CostTally): readonly BenchRow[] {
  const { bills, causes, conversations, impossible, withoutCause } = tally
  const { requests, cold } = bills.throughline
  if (requests === 0) return []
  const row = (method: string, value: number, unit: string, n = requests): BenchRow => ({
    source,
    method,
    size,
    value,
    unit,
    n,
  })
  const per100 = (count: number) => (100 * count) / requests
  const sliding = bills['sliding window']
  const ofMethods = Object.entries(bills).flatMap(([method, bill]) => [
    row(method, bill.cost('free') / requests, 'tokens billed for a request'),
    ...(['free', 'paid'] as const).flatMap((writes) => [
      row(method, bill.promptCost(writes) / sliding.promptCost(writes), shares[writes].prompts),
      row(method, bill.cost(writes) / sliding.cost(writes), shares[writes].replies),
    ]),
    row(method, per100(bill.breaks), breaksUnit),
    ...(bill.summaries === 0 ? [] : [row(method, bill.summaries, 'summaries paid for')]),
  ])
  return [
    row('throughline', requests, 'requests', conversations),
    ...(impossible === 0
      ? []
      : [row('throughline', impossible, 'requests whose prompt alone is too large')]),
    row('throughline', cold, 'requests behind more than five minutes'),
    ...ofMethods,
    ...[...causes].sort().map(([cause, count]) => row(cause, per100(count), breaksUnit, count)),
    row('throughline', withoutCause, 'prefix breaks without a cause'),
  ]
}
