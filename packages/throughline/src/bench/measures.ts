/** The measures by name: what each shows, and how it is taken. */
import { measureLog } from './log.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { measureTokens } from './tokens.ts'
import { measureTranscripts } from './transcripts.ts'

export interface Measure {
  readonly shows: string
  readonly take: (options: BenchOptions) => Promise<readonly BenchRow[]>
}

export const measures = {
  log: { shows: 'what a turn costs to keep, at 100 to 100,000 messages', take: measureLog },
  tokens: { shows: 'how right and how fast the token counts are', take: measureTokens },
  transcripts: {
    shows: 'what the readers find in a folder of transcripts',
    take: measureTranscripts,
  },
} as const satisfies Record<string, Measure>

export type MeasureName = keyof typeof measures
