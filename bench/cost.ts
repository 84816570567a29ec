/**
 * What conversations cost including the provider's cache, on any folder of transcripts: replays each
 * request by request, with simpler methods in the same window for comparison.
 *
 * The unit is tokens of fresh input. The prefix shared with the previous request costs a tenth of
 * that, the output of a summary four times. A second price list charges 1.25 for cache writes and
 * assumes that the cache is empty after five minutes.
 */
import { loadGptTokenizer, ThroughlineError } from 'throughline'
import {
  type CostMethod,
  costMethods,
} from '../packages/throughline/src/cli/simulation/cost-session.ts'
import { type AskContext, replayCost } from './cost/replay.ts'
import { costRows, emptyCostTally } from './cost/tally.ts'
import { readConversations } from './read-conversations.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { shippedSizes } from './shipped-sizes.ts'
import { survivalFiles } from './survival/files.ts'
import type { TranscriptFile } from './transcript-files.ts'

export async function measureCost(options: BenchOptions): Promise<readonly BenchRow[]> {
  const { sizes, methods } = options
  return costOf(survivalFiles(options, 'cost'), {
    ...(sizes && { sizes }),
    ...(methods && { methods: costMethods.filter((method) => methods.includes(method)) }),
  })
}

export interface CostOptions {
  readonly ask?: AskContext
  readonly sizes?: readonly number[]
  readonly methods?: readonly CostMethod[]
}

export async function costOf(
  files: readonly TranscriptFile[],
  {
    ask = (chat, input) => chat.context(input),
    sizes = shippedSizes.cost,
    methods = costMethods,
  }: CostOptions = {},
): Promise<readonly BenchRow[]> {
  const tokenizer = await loadGptTokenizer('o200k_base')
  if (tokenizer === null)
    throw new ThroughlineError(
      'TOKENIZER_MISSING',
      'bench cost needs gpt-tokenizer: npm install gpt-tokenizer',
    )
  const rows: BenchRow[] = []
  for (const [source, found] of Map.groupBy(files, (file) => file.source)) {
    const tallies = new Map(sizes.map((size) => [size, emptyCostTally(methods)]))
    for (const file of found)
      for (const conversation of await readConversations(file.items()))
        for (const [windowTokens, tally] of tallies)
          await replayCost({ conversation, windowTokens, tokenizer, tally, ask })
    for (const [size, tally] of tallies) rows.push(...costRows(source, size, tally))
  }
  return rows
}
