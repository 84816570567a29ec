/**
 * What conversations cost with the provider's cache counted, on any folder of transcripts:
 * each is replayed call by call at 32K, beside simpler ways to keep it inside that window.
 *
 * Tokens of fresh input are the unit. What a request begins with like the one before costs a
 * tenth of that, what a model writes four times; a cache that nobody asks for five minutes is
 * empty. Replies are the same for all.
 */
import { ThroughlineError } from '../errors.ts'
import { loadGptTokenizer } from '../tokenizers/gpt.ts'
import { type AskContext, replayCost } from './cost-replay.ts'
import { costRows, emptyCostTally } from './cost-tally.ts'
import { readConversations } from './fit-conversations.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { survivalFiles } from './survival-files.ts'
import type { TranscriptFile } from './transcript-files.ts'

const windowTokens = 32_768

export async function measureCost(options: BenchOptions): Promise<readonly BenchRow[]> {
  return costOf(survivalFiles(options.dataDir, 'cost'), { progress: options.progress })
}

export interface CostOptions {
  readonly progress?: BenchOptions['progress']
  readonly ask?: AskContext
}

export async function costOf(
  files: readonly TranscriptFile[],
  { progress = () => {}, ask = (chat, input) => chat.context(input) }: CostOptions = {},
): Promise<readonly BenchRow[]> {
  const tokenizer = await loadGptTokenizer('o200k_base')
  if (tokenizer === null)
    throw new ThroughlineError('TOKENIZER_MISSING', 'the measure of cost needs gpt-tokenizer')
  const rows: BenchRow[] = []
  let done = 0
  for (const [source, found] of Map.groupBy(files, (file) => file.source)) {
    const tally = emptyCostTally()
    for (const file of found) {
      for (const conversation of await readConversations(file.items()))
        await replayCost({ conversation, windowTokens, tokenizer, tally, ask })
      done += 1
      progress(`${done} of ${files.length} files: ${file.name}`)
    }
    rows.push(...costRows(source, windowTokens, tally))
  }
  return rows
}
