/** What is plotted of a replay: a figure for each request that could be asked. */
import type { CostMethod } from '../simulation/methods.ts'
import { costMethods } from '../simulation/methods.ts'
import type { ReplayStep } from './replay-steps.ts'
import { type WindowBand, windowBands } from './shown-bands.ts'

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
