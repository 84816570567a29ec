/** What a replay found, added up step by step, as plain JSON: the same for people, programs and pages. */
import type { Context, Meter, Receipt } from '../../index.ts'
import { Bill, type Costs } from '../simulation/bill.ts'
import { type CostMethod, costMethods } from '../simulation/cost-session.ts'
import { countOne, median, quantile } from '../simulation/statistics.ts'
import type { Survived } from '../simulation/survival-along.ts'
import {
  type LogBands,
  logBandsOf,
  type ShownPiece,
  shownPieces,
  type WindowBand,
  type WindowBands,
  windowBands,
  windowBandsOf,
} from './shown-bands.ts'

export interface ReplayReport {
  readonly conversation: {
    readonly id: string
    readonly title: string | null
    readonly messages: number
    /** Messages before these, which are sent as the system prompt. */
    readonly prompts: number
    /** Others of the same transcript, which were not replayed. */
    readonly others: number
  }
  readonly model: string
  readonly windowTokens: number
  readonly availableTokens: number
  readonly policy: { readonly name: string; readonly hash: string }
  readonly requests: number
  /** Of which the system prompt and the tools alone were too large. */
  readonly impossible: number
  readonly violations: Counts
  /** Whether tokens were counted again, exactly and apart from the engine. */
  readonly recounted: boolean
  readonly compactions: Counts & { readonly list: readonly CompactionReport[] }
  readonly breaks: Counts
  readonly tokens: {
    readonly sent: number
    readonly largest: number
    /** How full requests were, of what is available. */
    readonly averageShare: number
  }
  readonly cost: Readonly<Record<CostMethod, CostReport>>
  /** Means over compactions; null where too little was needed at every one. */
  readonly survival: {
    readonly compactions: number
    readonly names: number
    readonly shown: number
    readonly inTail: number
  } | null
  readonly turnMs: { readonly median: number; readonly p95: number; readonly most: number }
  /** The last request. */
  readonly final: FinalContext | null
}

export interface Counts {
  readonly total: number
  readonly by: Readonly<Record<string, number>>
}

export interface CompactionReport {
  /** The number of the request that began with it, from 1. */
  readonly request: number
  readonly place: number
  readonly receipt: Receipt
  /** Names that were needed next, those of them in the context, and in as much text before it. */
  readonly names: Survived | null
}

export interface CostReport {
  /** In tokens of fresh input. */
  readonly tokens: number
  readonly ofSliding: number
  readonly ofForgetting: number
  /** With cache writes at 1.25 and five-minute gaps. */
  readonly paidTokens: number
  readonly paidOfSliding: number
  readonly breaks: number
  readonly summaries: number
  readonly largestRequest: number
  /** Whether its largest request fits the window. */
  readonly fits: boolean
}

export interface FinalContext {
  readonly tokens: number
  readonly bands: WindowBands
  readonly log: LogBands
  /** In the order of the request. */
  readonly pieces: readonly ShownPiece[]
}

/** What is plotted of a replay: a figure for each request that could be asked. */
export interface ReplaySeries {
  readonly bands: Readonly<Record<WindowBand, readonly number[]>>
  /** In tokens of fresh input. */
  readonly costs: Readonly<Record<CostMethod, readonly number[]>>
  /** Requests that began with a compaction, by their index here. */
  readonly compactions: readonly number[]
  readonly triggerTokens: number
  readonly targetTokens: number
}

export interface ReplayStep {
  /** The place of the message that the model gave, and so the end of the log when it was asked. */
  readonly place: number
  /** Null where nothing could be asked: the prompt alone is too large, or it failed. */
  readonly asked: AskedStep | null
  readonly isImpossible: boolean
  readonly turnMs: number
  /** The kind of each. */
  readonly violations: readonly string[]
}

interface AskedStep {
  readonly context: Context
  readonly costs: Readonly<Partial<Record<CostMethod, Costs>>>
  readonly compaction: CompactionReport | null
}

/** What is known before the first request. */
type ReplayAbout = Pick<
  ReplayReport,
  'conversation' | 'model' | 'windowTokens' | 'policy' | 'recounted'
>

export class ReplayTally {
  readonly about: ReplayAbout
  /** Requests that there will be. */
  readonly total: number
  readonly bills = recordOf(costMethods, () => new Bill())
  requests = 0
  /** The last that could be asked, drawn and reported. */
  last: { readonly context: Context; readonly bands: WindowBands; readonly log: LogBands } | null =
    null
  readonly violations = new Map<string, number>()
  readonly causes = new Map<string, number>()
  readonly breaks = new Map<string, number>()
  readonly compactions: CompactionReport[] = []
  readonly turnMs: number[] = []
  readonly series = {
    bands: recordOf(windowBands, (): number[] => []),
    costs: recordOf(costMethods, (): number[] => []),
    compactions: [] as number[],
    triggerTokens: 0,
    targetTokens: 0,
  }
  #impossible = 0
  #shares = 0

  constructor(about: ReplayAbout, total: number) {
    this.about = about
    this.total = total
  }

  add({ asked, place, isImpossible, turnMs, violations }: ReplayStep): void {
    this.requests += 1
    this.turnMs.push(turnMs)
    if (isImpossible) this.#impossible += 1
    for (const kind of violations) countOne(this.violations, kind)
    if (asked === null) return
    const { context, compaction, costs } = asked
    const bands = windowBandsOf(context)
    this.last = { context, bands, log: logBandsOf(context, place) }
    this.#shares += context.tokens / Math.max(1, context.budget.availableTokens)
    if (context.brokenBy !== null) countOne(this.breaks, context.brokenBy)
    if (compaction !== null) {
      countOne(this.causes, compaction.receipt.cause)
      this.compactions.push(compaction)
      this.series.compactions.push(this.series.bands.recent.length)
    }
    const { triggerTokens, targetTokens } = context.budget
    Object.assign(this.series, { triggerTokens, targetTokens })
    for (const band of windowBands) this.series.bands[band].push(bands[band])
    for (const method of costMethods) this.series.costs[method].push(costs[method]?.plain ?? 0)
  }

  /** Receipts as they stand in the end, when what was needed again is known of some. */
  report(receipts: readonly Receipt[], meter: Meter): ReplayReport {
    const completed = new Map(receipts.map((receipt) => [receipt.version, receipt]))
    const { last } = this
    const ours = this.bills.throughline
    return {
      ...this.about,
      availableTokens: last?.context.budget.availableTokens ?? 0,
      requests: this.requests,
      impossible: this.#impossible,
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
      turnMs: {
        median: median(this.turnMs),
        p95: quantile(this.turnMs, 0.95),
        most: quantile(this.turnMs, 1),
      },
      final: last && {
        tokens: last.context.tokens,
        bands: last.bands,
        log: last.log,
        pieces: shownPieces(last.context, meter),
      },
    }
  }

  cost(): ReplayReport['cost'] {
    const { sliding, forgetting } = this.bills
    return recordOf(costMethods, (method) => {
      const bill = this.bills[method]
      const [tokens, paidTokens] = [bill.cost('plain'), bill.cost('paid')]
      return {
        tokens,
        ofSliding: shareOf(tokens, sliding.cost('plain')),
        ofForgetting: shareOf(tokens, forgetting.cost('plain')),
        paidTokens,
        paidOfSliding: shareOf(paidTokens, sliding.cost('paid')),
        breaks: bill.breaks,
        summaries: bill.summaries,
        largestRequest: bill.mostTokens,
        fits: bill.mostTokens <= this.about.windowTokens,
      }
    })
  }

  #survival(): ReplayReport['survival'] {
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

function recordOf<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  // Each name has its value.
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}

function shareOf(cost: number, other: number): number {
  return other === 0 ? 0 : cost / other
}

export function countsOf(counts: ReadonlyMap<string, number>): Counts {
  const by = Object.fromEntries([...counts].sort(([, left], [, right]) => right - left))
  return { total: Object.values(by).reduce((sum, count) => sum + count, 0), by }
}
