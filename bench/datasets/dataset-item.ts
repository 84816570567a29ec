/** What a reader of datasets yields: items of transcripts, and questions with their evidence. */
import type { Span } from 'throughline'
import type { TranscriptItem } from 'throughline/transcripts'

/** A question with its evidence, as datasets have them. */
export interface TranscriptQuestion {
  readonly kind: 'question'
  readonly conversationId: string
  readonly question: string
  readonly answer: string | null
  /** Messages of the conversation that hold the answer, by their place in it. */
  readonly evidence: readonly Span[]
}

export type DatasetItem = TranscriptItem | TranscriptQuestion
