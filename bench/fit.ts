/**
 * Whether contexts keep their promises, on any folder of transcripts: replays every conversation
 * request by request, in windows of three sizes.
 *
 * There must be no violations. Prefix breaks are a cost: after each, a provider reads the whole
 * prompt again.
 */
import { loadGptTokenizer, ThroughlineError } from 'throughline'
import { createRecount } from '../packages/throughline/src/cli/simulation/checks.ts'
import { type Replay, replay } from './fit/replay.ts'
import { emptyTally, type FitTally, tallyRows, violationRows } from './fit/tally.ts'
import { readConversations } from './read-conversations.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { shippedSizes } from './shipped-sizes.ts'
import { type TranscriptFile, transcriptFiles } from './transcript-files.ts'

export async function measureFit(options: BenchOptions): Promise<readonly BenchRow[]> {
  const { dataDir, progress, sizes = shippedSizes.fit } = options
  if (dataDir === null)
    throw new ThroughlineError('CONFIG_INVALID', 'bench fit needs a folder: --data DIR')
  return fitRows(transcriptFiles(dataDir, progress), { sizes })
}

/** Receives each violation: where it was found, its kind, and details. */
export type Note = (where: string, kind: string, found: string) => void

export interface FitOptions {
  readonly sizes?: readonly number[]
  readonly note?: Note
}

export async function fitRows(
  files: readonly TranscriptFile[],
  { sizes = shippedSizes.fit, note = () => {} }: FitOptions = {},
): Promise<readonly BenchRow[]> {
  const tallies: SourceTally[] = []
  for (const [source, found] of Map.groupBy(files, (file) => file.source)) {
    const ofSource = sizes.map((windowTokens) => ({ source, windowTokens, tally: emptyTally() }))
    for (const file of found) await replayFile(file, ofSource, note)
    tallies.push(...ofSource.filter(({ tally }) => tally.requests > 0))
  }
  const inAll = sizes.flatMap((windowTokens) => {
    const ofWindow = tallies.filter((found) => found.windowTokens === windowTokens)
    return violationRows(
      windowTokens,
      ofWindow.map(({ tally }) => tally),
    )
  })
  return [
    ...tallies.flatMap(({ source, windowTokens, tally }) => tallyRows(source, windowTokens, tally)),
    ...inAll,
  ]
}

interface SourceTally {
  readonly source: string
  readonly windowTokens: number
  readonly tally: FitTally
}

async function replayFile(
  file: TranscriptFile,
  tallies: readonly SourceTally[],
  note: Note,
): Promise<void> {
  const tokenizer = await loadGptTokenizer('o200k_base')
  if (tokenizer === null)
    throw new ThroughlineError(
      'TOKENIZER_MISSING',
      'bench fit needs gpt-tokenizer: npm install gpt-tokenizer',
    )
  for (const conversation of await readConversations(file.items())) {
    const recount = createRecount(tokenizer)
    for (const { windowTokens, tally } of tallies) {
      const noteHere: Replay['note'] = (kind, found, request) =>
        note(`${file.name} ${conversation.id}, ${windowTokens}, request ${request}`, kind, found)
      await replay({ conversation, windowTokens, recount, tally, note: noteHere })
    }
  }
}
