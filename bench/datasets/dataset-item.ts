/** What a reader of datasets yields: items of transcripts, and questions with their evidence. */
import type { TranscriptItem } from 'throughline/transcripts'
import type { TranscriptQuestion } from '../../packages/throughline/src/transcripts/transcript.ts'

export type { TranscriptQuestion } from '../../packages/throughline/src/transcripts/transcript.ts'
export type DatasetItem = TranscriptItem | TranscriptQuestion
