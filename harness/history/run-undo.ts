/** So many chains, in memory and on SQLite in turn. */
import type { Store } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { type Finding, sumFigures } from '../kernel/finding.ts'
import { type ChainFigures, noFigures, runChain } from './undo-chain.ts'

export interface UndoOptions {
  readonly seed: number
  readonly chains: number
  /** A bug, where one is put in. */
  readonly planted?: ((store: Store) => Store) | undefined
  /** To end with the first finding. */
  readonly untilFound?: boolean | undefined
}

export interface UndoReport {
  readonly findings: readonly Finding[]
  readonly figures: ChainFigures
}

export async function runUndo(options: UndoOptions): Promise<UndoReport> {
  const { seed, chains, planted = (store) => store, untilFound = false } = options
  const findings: Finding[] = []
  let figures = noFigures
  for (let index = 0; index < chains; index += 1) {
    const store = index % 2 === 0 ? memory() : sqlite(':memory:')
    const report = await runChain(seed + index, planted(store))
    findings.push(
      ...report.findings.map(({ rule, detail }) => ({
        rule,
        detail: `${seed + index}: ${detail}`,
      })),
    )
    figures = sumFigures([figures, report.figures])
    if (untilFound && findings.length > 0) break
  }
  return { findings, figures }
}
