/** The measures by name: what each shows, and how it is taken. */
import { measureCost } from './cost.ts'
import { measureEdits } from './edits.ts'
import { measureExtract } from './extract.ts'
import { measureFit } from './fit.ts'
import { measureGate } from './gate.ts'
import { measureHang } from './hang.ts'
import { measureLog } from './log.ts'
import { measureRecall } from './recall.ts'
import { measureRefetch } from './refetch.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { measureSurvival } from './survival.ts'
import { measureTokens } from './tokens.ts'
import { measureTranscripts } from './transcripts.ts'
import { measureTurn } from './turn.ts'

export interface Measure {
  readonly shows: string
  readonly take: (options: BenchOptions) => Promise<readonly BenchRow[]>
}

export const measures = {
  cost: {
    shows: 'what conversations cost with the cache counted, on a folder of transcripts',
    take: measureCost,
  },
  edits: {
    shows: 'whether edits find their text behind a cut, on a folder of transcripts',
    take: measureEdits,
  },
  extract: {
    shows: 'what reading messages for facts costs beside counting them',
    take: measureExtract,
  },
  fit: {
    shows: 'whether contexts fit, are accepted and repeat themselves, on a folder of transcripts',
    take: measureFit,
  },
  gate: {
    shows:
      'which drafts of summaries the gate lets through, generated and on a folder of transcripts',
    take: measureGate,
  },
  hang: {
    shows: 'what a request costs while the model that writes summaries hangs',
    take: measureHang,
  },
  log: { shows: 'what a turn costs to keep, at 100 to 100,000 messages', take: measureLog },
  recall: {
    shows:
      'how much of the evidence for a question stands in its context, on a folder of transcripts; or what a search costs',
    take: measureRecall,
  },
  refetch: {
    shows: 'which files are opened again behind a compaction, on a folder of transcripts',
    take: measureRefetch,
  },
  survival: {
    shows: 'what a compaction keeps of what is needed next, on a folder of transcripts',
    take: measureSurvival,
  },
  tokens: { shows: 'how right and how fast the token counts are', take: measureTokens },
  transcripts: {
    shows: 'what the readers find in a folder of transcripts',
    take: measureTranscripts,
  },
  turn: {
    shows: 'what a turn and its context cost, at 100 to 100,000 messages',
    take: measureTurn,
  },
} as const satisfies Record<string, Measure>

export type MeasureName = keyof typeof measures
