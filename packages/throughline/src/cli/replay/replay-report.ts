/** What a replay found, as plain JSON: the same for people, programs and pages. */

import type { Receipt } from '../../index.ts'
import { type CostMethod, costMethods } from '../simulation/cost-session.ts'
import type { ReplayStep } from './replay-steps.ts'
import {
  type LogBands,
  type ShownPiece,
  type WindowBand,
  type WindowBands,
  windowBands,
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
  /** Null where too little was needed at every compaction. */
  readonly survival: SurvivalReport | null
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
  readonly names: {
    readonly needed: number
    readonly shown: number
    readonly inTail: number
  } | null
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

export interface SurvivalReport {
  readonly compactions: number
  readonly names: number
  /** Means over compactions. */
  readonly shown: number
  readonly inTail: number
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

export class SeriesOfReplay {
  readonly #bands = noughts(windowBands)
  readonly #costs = noughts(costMethods)
  readonly #compactions: number[] = []
  #triggerTokens = 0
  #targetTokens = 0

  add({ asked }: ReplayStep): void {
    if (asked === null) return
    if (asked.compaction !== null) this.#compactions.push(this.#bands.recent.length)
    for (const band of windowBands) this.#bands[band].push(asked.bands[band])
    for (const method of costMethods) this.#costs[method].push(asked.costs[method]?.plain ?? 0)
    this.#triggerTokens = asked.budget.triggerTokens
    this.#targetTokens = asked.budget.targetTokens
  }

  get series(): ReplaySeries {
    return {
      bands: this.#bands,
      costs: this.#costs,
      compactions: this.#compactions,
      triggerTokens: this.#triggerTokens,
      targetTokens: this.#targetTokens,
    }
  }
}

function noughts<Name extends string>(names: readonly Name[]): Record<Name, number[]> {
  // Each name has its list.
  return Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>
}
