/** Collects figures of cuts by key, and returns their means as rows. */
import type { BenchRow } from '../report.ts'
import type { CutKind } from './cuts.ts'

export interface TallyKey {
  readonly kind: CutKind
  readonly method: string
  readonly size: number
}

const named: Readonly<Record<CutKind, string>> = {
  real: 'at real compactions',
  counterfactual: 'at cuts',
  middle: 'in the middle',
}

interface Group {
  readonly kind: CutKind
  readonly method: string
  readonly sums: Map<string, number>
  sizes: number
  cuts: number
}

export class SurvivalTally {
  readonly #source: string
  readonly #groups = new Map<string, Group>()

  constructor(source: string) {
    this.#source = source
  }

  /** The figures of one cut; a figure that only other cuts have counts as 0. */
  add({ kind, method, size }: TallyKey, figures: ReadonlyMap<string, number>): void {
    // Each summary has its own size: they form one group.
    const key = JSON.stringify([kind, kind === 'real' ? null : size, method])
    const group = this.#groups.get(key) ?? { kind, method, sums: new Map(), sizes: 0, cuts: 0 }
    this.#groups.set(key, group)
    group.sizes += size
    group.cuts += 1
    for (const [unit, value] of figures) group.sums.set(unit, (group.sums.get(unit) ?? 0) + value)
  }

  rows(): readonly BenchRow[] {
    return [...this.#groups.values()].flatMap(({ kind, method, sums, sizes, cuts }) =>
      [...sums].map(([unit, sum]) => ({
        source: this.#source,
        method,
        size: Math.round(sizes / cuts),
        value: sum / cuts,
        unit: `${unit}, ${named[kind]}`,
        n: cuts,
      })),
    )
  }
}
