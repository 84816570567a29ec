/** Adds up the steps of a replay as they come. */

import type { Meter, Receipt } from '../../index.ts'
import type { Bill } from '../simulation/bill.ts'
import { type CostMethod, costMethods } from '../simulation/cost-session.ts'
import { countOne, median, quantile } from '../simulation/statistics.ts'
import type {
  CompactionReport,
  CostReport,
  Counts,
  ReplayReport,
  SurvivalReport,
} from './replay-report.ts'
import type { AskedStep, ReplayBills, ReplayStep } from './replay-steps.ts'
import { shownPieces } from './shown-bands.ts'

export interface ReplayAbout
  extends Pick<ReplayReport, 'conversation' | 'model' | 'windowTokens' | 'policy' | 'recounted'> {
  /** Requests that there will be. */
  readonly total: number
}

export class ReplayTally {
  readonly about: ReplayAbout
  readonly bills: ReplayBills
  requests = 0
  impossible = 0
  last: AskedStep | null = null
  readonly violations = new Map<string, number>()
  readonly causes = new Map<string, number>()
  readonly breaks = new Map<string, number>()
  readonly compactions: CompactionReport[] = []
  readonly turnMs: number[] = []
  #shares = 0
  #asked = 0

  constructor(about: ReplayAbout, bills: ReplayBills) {
    this.about = about
    this.bills = bills
  }

  add({ asked, index, place, isImpossible, turnMs, violations }: ReplayStep): void {
    this.requests += 1
    this.turnMs.push(turnMs)
    if (isImpossible) this.impossible += 1
    for (const { kind } of violations) countOne(this.violations, kind)
    if (asked === null) return
    this.last = asked
    this.#asked += 1
    this.#shares += asked.tokens / Math.max(1, asked.budget.availableTokens)
    if (asked.brokenBy !== null) countOne(this.breaks, asked.brokenBy)
    if (asked.compaction === null) return
    const { receipt, survived } = asked.compaction
    countOne(this.causes, receipt.cause)
    this.compactions.push({ request: index + 1, place, receipt, names: survived })
  }

  /** Receipts as they stand in the end, when what was needed again is known of some. */
  report(receipts: readonly Receipt[], meter: Meter): ReplayReport {
    const { total: _, ...about } = this.about
    const completed = new Map(receipts.map((receipt) => [receipt.version, receipt]))
    const ours = this.bills.throughline
    return {
      ...about,
      availableTokens: this.last?.budget.availableTokens ?? 0,
      requests: this.requests,
      impossible: this.impossible,
      violations: countsOf(this.violations),
      compactions: {
        ...countsOf(this.causes),
        list: this.compactions.map((compaction) => ({
          ...compaction,
          receipt: completed.get(compaction.receipt.version) ?? compaction.receipt,
        })),
      },
      breaks: countsOf(this.breaks),
      tokens: {
        sent: ours.sentTokens,
        largest: ours.mostTokens,
        averageShare: this.#shares / Math.max(1, this.#asked),
      },
      cost: this.cost(),
      survival: this.survival(),
      turnMs: {
        median: median(this.turnMs),
        p95: quantile(this.turnMs, 0.95),
        most: quantile(this.turnMs, 1),
      },
      final: this.last === null ? null : finalOf(this.last, meter),
    }
  }

  cost(): ReplayReport['cost'] {
    const reports = costMethods.map((method) => [method, this.#costOf(this.bills[method])])
    // One for each method.
    return Object.fromEntries(reports) as Readonly<Record<CostMethod, CostReport>>
  }

  #costOf(bill: Bill): CostReport {
    const { sliding, forgetting } = this.bills
    return {
      tokens: bill.cost('plain'),
      ofSliding: shareOf(bill.cost('plain'), sliding.cost('plain')),
      ofForgetting: shareOf(bill.cost('plain'), forgetting.cost('plain')),
      paidTokens: bill.cost('paid'),
      paidOfSliding: shareOf(bill.cost('paid'), sliding.cost('paid')),
      breaks: bill.breaks,
      summaries: bill.summaries,
      largestRequest: bill.mostTokens,
      fits: bill.mostTokens <= this.about.windowTokens,
    }
  }

  survival(): SurvivalReport | null {
    const found = this.compactions.flatMap(({ names }) => names ?? [])
    if (found.length === 0) return null
    const mean = (part: 'shown' | 'inTail') =>
      found.reduce((sum, names) => sum + names[part] / names.needed, 0) / found.length
    return {
      compactions: found.length,
      names: found.reduce((sum, { needed }) => sum + needed, 0),
      shown: mean('shown'),
      inTail: mean('inTail'),
    }
  }
}

function shareOf(cost: number, other: number): number {
  return other === 0 ? 0 : cost / other
}

function finalOf({ tokens, bands, log, context }: AskedStep, meter: Meter): ReplayReport['final'] {
  return { tokens, bands, log, pieces: shownPieces(context, meter) }
}

export function countsOf(counts: ReadonlyMap<string, number>): Counts {
  const by = Object.fromEntries([...counts].sort(([, left], [, right]) => right - left))
  return { total: Object.values(by).reduce((sum, count) => sum + count, 0), by }
}
