/** The formats that we read. Which one a file has is found in its text (see `detect-format.ts`). */

/** The formats that are read, by name. See `detectFormat`. */
export const transcriptFormats = [
  'throughline',
  'claude-code',
  'codex',
  'pi',
  'chatgpt',
  'openai',
  'anthropic',
  'ai-sdk',
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
