/** Readers of other tools' transcripts. */
export { transcriptFormats } from './format-signs.ts'
export {
  detectFormat,
  type ReadTranscriptOptions,
  readTranscript,
  type TranscriptFormat,
  type TranscriptSource,
} from './read-transcript.ts'
export type {
  TranscriptConversation,
  TranscriptItem,
  TranscriptMessage,
  TranscriptProblem,
} from './transcript.ts'
