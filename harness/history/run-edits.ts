/** Plays until so many messages were edited or removed. */
import type { Store } from 'throughline'
import type { Finding } from '../races/finding.ts'
import { type EditFigures, playEdits } from './play-edits.ts'

export interface EditRuns {
  readonly seed: number
  /** Edits and removals. */
  readonly runs: number
  readonly planted?: ((store: Store) => Store) | undefined
  /** Ends with the first finding of this rule, or with any. */
  readonly until?: string | undefined
}

export interface EditReport {
  readonly findings: readonly (Finding & { readonly seed: string })[]
  readonly figures: EditFigures
}

export async function runEdits({ seed, runs, planted, until }: EditRuns): Promise<EditReport> {
  const figures: EditFigures = {
    ...{ rewrites: 0, contexts: 0, compactions: 0, summaries: 0, forks: 0 },
    turns: 0,
  }
  const findings: (Finding & { readonly seed: string })[] = []
  for (let number = 0; figures.rewrites < runs; number += 1) {
    const name = `${seed}/${number}`
    const found = await playEdits({ seed: name, planted, figures })
    findings.push(...found.map((finding) => ({ ...finding, seed: name })))
    if (found.some(({ rule }) => until === 'any' || rule === until)) break
  }
  return { findings, figures }
}
