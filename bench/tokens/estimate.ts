/**
 * Compares the estimator with the exact o200k count: on how many texts it is under (it must be none),
 * and by how much it is over. Common rules of thumb are measured on the same texts.
 */

import { loadGptTokenizer, ThroughlineError } from 'throughline'
import { median, quantile } from '../../packages/throughline/src/cli/simulation/statistics.ts'
import { estimator } from '../../packages/throughline/src/tokenizers/estimate.ts'
import type { CorpusSample } from '../corpus.ts'
import type { BenchRow } from '../report.ts'

const everything = 'all'

export async function estimateRows(
  samples: AsyncIterable<CorpusSample> | Iterable<CorpusSample>,
): Promise<readonly BenchRow[]> {
  const exact = await loadGptTokenizer('o200k_base')
  if (exact === null) {
    throw new ThroughlineError(
      'TOKENIZER_MISSING',
      'bench tokens needs gpt-tokenizer: npm install gpt-tokenizer',
    )
  }
  const tallies = new Map([[everything, newTally()]])
  for await (const { source, text } of samples) {
    const tokens = exact.count(text)
    if (tokens === 0) continue
    for (const name of [source, everything]) {
      const tally = tallies.get(name) ?? newTally()
      tallies.set(name, tally)
      tally.characters += text.length
      for (const method of methods) {
        tally.overcounts.get(method.name)?.push((method.count(text) / tokens - 1) * 100)
      }
    }
  }
  return [...tallies].flatMap(([source, tally]) => rowsOf(source, tally))
}

const methods = [
  { name: 'throughline', count: estimator.count },
  { name: 'characters / 4', count: (text: string) => Math.ceil(text.length / 4) },
  { name: 'characters / 3.5', count: (text: string) => Math.ceil(text.length / 3.5) },
] as const

interface Tally {
  characters: number
  /** For each method, the overcount of each text in percent; negative means under. */
  readonly overcounts: ReadonlyMap<string, number[]>
}

function newTally(): Tally {
  return { characters: 0, overcounts: new Map(methods.map(({ name }) => [name, []])) }
}

/** Rules of thumb only have rows for all texts together: rows per source would fill the table. */
function rowsOf(source: string, tally: Tally): readonly BenchRow[] {
  const rows = [...tally.overcounts].flatMap(([method, overcounts]) => {
    const base = { source, method, size: tally.characters, n: overcounts.length }
    const under = overcounts.filter((overcount) => overcount < 0).length
    return [
      { ...base, value: under, unit: 'undercounts' },
      { ...base, value: median(overcounts), unit: 'overcount p50 %' },
      { ...base, value: quantile(overcounts, 0.95), unit: 'overcount p95 %' },
    ]
  })
  return source === everything ? rows : rows.filter(({ method }) => method === 'throughline')
}
