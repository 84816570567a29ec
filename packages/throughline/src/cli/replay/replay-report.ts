/** Adds up the results of a replay, request by request, as plain JSON. */
import type { Context, Meter, Receipt } from '../../index.ts'
import { Bill, type Costs } from '../simulation/bill.ts'
import { type CostMethod, costMethods } from '../simulation/cost-session.ts'
import { countOne, median, quantile } from '../simulation/statistics.ts'
import type { Survived } from '../simulation/survival-along.ts'
import { windowBands } from './bands-data.ts'
import type { ReplayedConversation } from './replay-source.ts'
import { logBandsOf, shownPieces, windowBandsOf } from './shown-bands.ts'

export type ReplayReport = ReturnType<ReplayTally['report']>
export type CostReport = ReplayReport['cost'][CostMethod]

/** A figure for each request that was possible, for the plots. */
export type ReplaySeries = ReplayTally['series']

interface ReplayAbout {
  readonly conversation: Pick<ReplayedConversation, 'id' | 'title' | 'prompts' | 'others'> & {
    readonly messages: number
  }
  readonly policy: { readonly name: string; readonly hash: string }
  readonly model: string
  readonly windowTokens: number
  /** Whether tokens were also counted exactly, apart from the engine. */
  readonly recounted: boolean
}

export interface CompactionReport {
  /** The number of the request that compacted, from 1. */
  readonly request: number
  readonly place: number
  readonly receipt: Receipt
  readonly names: Survived | null
}

interface SimulatedRequest {
  /** The position of the model's answer: the end of the log at the request. */
  readonly place: number
  readonly context: Context
  readonly costs: Readonly<Partial<Record<CostMethod, Costs>>>
  readonly compaction: CompactionReport | null
}

export class ReplayTally {
  readonly about: ReplayAbout
  /** Requests in all. */
  readonly total: number
  readonly bills = recordOf(costMethods, () => new Bill())
  /** Requests whose system prompt and tools alone were too large. */
  impossible = 0
  last: Readonly<ReturnType<typeof shownIn>> | null = null
  readonly violations = new Map<string, number>()
  readonly causes = new Map<string, number>()
  readonly breaks = new Map<string, number>()
  readonly compactions: CompactionReport[] = []
  /** For each request, with its append on disk. */
  readonly turnMs: number[] = []
  readonly series = {
    bands: recordOf(windowBands, (): number[] => []),
    /** In tokens of fresh input. */
    costs: recordOf(costMethods, (): number[] => []),
    /** Indexes of the requests that compacted. */
    compactions: [] as number[],
    triggerTokens: 0,
    targetTokens: 0,
  }
  #shares = 0

  constructor(about: ReplayAbout, total: number) {
    this.about = about
    this.total = total
  }

  get requests(): number {
    return this.turnMs.length
  }

  add({ place, context, costs, compaction }: SimulatedRequest): void {
    const { series } = this
    const { availableTokens, triggerTokens, targetTokens } = context.budget
    this.last = shownIn(context, place)
    this.#shares += context.tokens / Math.max(1, availableTokens)
    if (context.brokenBy !== null) countOne(this.breaks, context.brokenBy)
    if (compaction !== null) {
      countOne(this.causes, compaction.receipt.cause)
      this.compactions.push(compaction)
      series.compactions.push(series.bands.recent.length)
    }
    Object.assign(series, { triggerTokens, targetTokens })
    for (const band of windowBands) series.bands[band].push(this.last.bands[band])
    for (const method of costMethods) series.costs[method].push(costs[method]?.plain ?? 0)
  }

  /** `receipts`: the final ones, with their follow-ups. */
  report(receipts: readonly Receipt[], meter: Meter) {
    const completed = new Map(receipts.map((receipt) => [receipt.version, receipt]))
    const { last, turnMs } = this
    const ours = this.bills.throughline
    return {
      ...this.about,
      availableTokens: last?.context.budget.availableTokens ?? 0,
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
        averageShare: this.#shares / Math.max(1, this.series.bands.recent.length),
      },
      cost: this.cost(),
      survival: this.#survival(),
      turnMs: { median: median(turnMs), p95: quantile(turnMs, 0.95), most: quantile(turnMs, 1) },
      final: last && {
        tokens: last.context.tokens,
        bands: last.bands,
        log: last.log,
        pieces: shownPieces(last.context, meter),
      },
    }
  }

  cost() {
    const { sliding, forgetting } = this.bills
    return recordOf(costMethods, (method) => {
      const bill = this.bills[method]
      const [tokens, paidTokens] = [bill.cost('plain'), bill.cost('paid')]
      return {
        /** In tokens of fresh input. */
        tokens,
        ofSliding: shareOf(tokens, sliding.cost('plain')),
        ofForgetting: shareOf(tokens, forgetting.cost('plain')),
        /** With cache writes at 1.25 and five-minute gaps. */
        paidTokens,
        paidOfSliding: shareOf(paidTokens, sliding.cost('paid')),
        breaks: bill.breaks,
        summaries: bill.summaries,
        largestRequest: bill.mostTokens,
        fits: bill.mostTokens <= this.about.windowTokens,
      }
    })
  }

  /** Sums and, as shares, means over compactions; null if too few names were needed. */
  #survival() {
    const found = this.compactions.flatMap(({ names }) => names ?? [])
    if (found.length === 0) return null
    const sum = (figure: (names: Survived) => number) =>
      found.reduce((total, names) => total + figure(names), 0)
    return {
      compactions: found.length,
      names: sum(({ needed }) => needed),
      shownNames: sum(({ shown }) => shown),
      inTailNames: sum(({ inTail }) => inTail),
      shown: sum(({ shown, needed }) => shown / needed) / found.length,
      inTail: sum(({ inTail, needed }) => inTail / needed) / found.length,
    }
  }
}

function shownIn(context: Context, place: number) {
  return { context, bands: windowBandsOf(context), log: logBandsOf(context, place) }
}

function recordOf<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}

function shareOf(cost: number, other: number): number {
  return other === 0 ? 0 : cost / other
}

export interface Counts {
  readonly total: number
  readonly by: Readonly<Record<string, number>>
}

export function countsOf(counts: ReadonlyMap<string, number>): Counts {
  const by = Object.fromEntries([...counts].sort(([, left], [, right]) => right - left))
  return { total: Object.values(by).reduce((sum, count) => sum + count, 0), by }
}
