/** Readers of other tools' transcripts. */
export { detectFormat } from './detect-format.ts'
export type { TranscriptFormat } from './format-signs.ts'
export { transcriptFormats } from './formats-data.ts'
export type { TranscriptSource } from './json/source-text.ts'
export { type ReadTranscriptOptions, readTranscript } from './read-transcript.ts'
export type {
  TranscriptConversation,
  TranscriptItem,
  TranscriptMessage,
  TranscriptProblem,
} from './transcript.ts'
