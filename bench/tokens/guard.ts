/**
 * Measures the guard of the exact count: it must change counts little where it cuts, and its time must
 * grow linearly with the text, not quadratically.
 */
import { loadGptTokenizer, ThroughlineError, type Tokenizer } from 'throughline'
import { seededRandom } from '../../harness/kernel/chance.ts'
import { median } from '../../packages/throughline/src/cli/simulation/statistics.ts'
import { corpusKinds } from '../corpus-kinds.ts'
import type { BenchRow } from '../report.ts'

export async function guardRows(): Promise<readonly BenchRow[]> {
  const guarded = await loadGptTokenizer('o200k_base')
  if (guarded === null)
    throw new ThroughlineError(
      'TOKENIZER_MISSING',
      'bench tokens needs gpt-tokenizer: npm install gpt-tokenizer',
    )
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const unguarded = (text: string) => countTokens(text, plain)
  const differences = Object.entries(comparedTexts()).map(([kind, text]) => {
    const exact = unguarded(text)
    const value = (Math.abs(guarded.count(text) - exact) / exact) * 100
    const source = `guard: ${kind}`
    return { source, method: 'throughline', size: text.length, value, unit: 'difference %', n: 1 }
  })
  return [...differences, linearityRow(guarded)]
}

const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

// Short enough for the unguarded count, which is quadratic, to finish.
const comparedLength = 20_000

function comparedTexts(): Readonly<Record<string, string>> {
  const make = (kind: keyof typeof corpusKinds) =>
    corpusKinds[kind](seededRandom(kind), comparedLength)
  const han = make('rare han').replace(/[^\u4e00-\u9fff]/g, '')
  return {
    cjk: make('chinese'),
    'cjk without punctuation': han.slice(0, comparedLength / 4),
    base64: make('base64'),
    'letters without space': make('random letters').slice(0, comparedLength / 4),
    mixed: make('code') + make('markdown') + make('logs') + make('whitespace'),
  }
}

const timings = 11

function linearityRow(guarded: Tokenizer): BenchRow {
  const one = 'a'.repeat(1_000_000)
  const four = 'a'.repeat(4_000_000)
  const timeMs = (text: string) => {
    const start = performance.now()
    guarded.count(text)
    return performance.now() - start
  }
  timeMs(four)
  // Alternates the sizes, so that a pause of the machine affects both.
  const ratios = Array.from({ length: timings }, () => {
    const oneMs = timeMs(one)
    return timeMs(four) / oneMs
  })
  return {
    source: 'guard: one letter, 4 MB compared with 1 MB',
    method: 'throughline',
    size: four.length,
    value: median(ratios),
    unit: 'time ratio',
    n: timings,
  }
}
