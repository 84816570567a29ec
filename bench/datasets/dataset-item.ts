/** Items that dataset readers yield: transcript items, and questions with their evidence. */
import type { Span } from 'throughline'
import type { TranscriptItem } from 'throughline/transcripts'

/** A question of a dataset with its evidence. */
export interface TranscriptQuestion {
  readonly kind: 'question'
  readonly conversationId: string
  readonly question: string
  readonly answer: string | null
  /** Messages of the conversation that contain the answer, by position. */
  readonly evidence: readonly Span[]
}

export type DatasetItem = TranscriptItem | TranscriptQuestion
