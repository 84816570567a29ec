/** The formats that we read. Which one a file has is found in its text (see `detect-format.ts`). */

/** Formats of tools and providers that people have conversations with. See `detectFormat`. */
export const toolFormats = [
  'claude-code',
  'codex',
  'pi',
  'chatgpt',
  'openai',
  'anthropic',
  'ai-sdk',
  'messages',
] as const

/** The formats that are read, by name. See `detectFormat`. */
export const transcriptFormats = [
  'throughline',
  ...toolFormats,
  'text',
  'tau-bench',
  'tau2-bench',
  'mini-swe',
  'qmsum',
  'longmemeval',
  'locomo',
  'memorybank',
  'memorybank-questions',
] as const

export type TranscriptFormat = (typeof transcriptFormats)[number]
