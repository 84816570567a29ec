/** Plays until so many messages were edited or removed. */
import type { Store } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import { type EditFigures, noFigures, playEdits } from './play-edits.ts'

export interface EditRuns {
  readonly seed: number
  /** Edits and removals. */
  readonly runs: number
  readonly planted?: ((store: Store) => Store) | undefined
  /** Ends with the first finding of this rule, or with any. */
  readonly until?: string | undefined
}

export interface EditReport {
  readonly findings: readonly Finding[]
  readonly figures: EditFigures
}

export async function runEdits({ seed, runs, planted, until }: EditRuns): Promise<EditReport> {
  const figures: EditFigures = { ...noFigures }
  const findings: Finding[] = []
  for (let number = 0; figures.rewrites < runs; number += 1) {
    const name = `${seed}/${number}`
    const found = await playEdits({ seed: name, planted, figures })
    findings.push(...found.map(({ rule, detail }) => ({ rule, detail: `${name}: ${detail}` })))
    if (found.some(({ rule }) => until === 'any' || rule === until)) break
  }
  return { findings, figures }
}
