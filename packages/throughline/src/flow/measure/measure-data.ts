/** Figures for counting: sizes of frames, files and encrypted blocks, and limits of the caches. */
/** The longest provider form, in o200k tokens. */
export const frameTokens = {
  message: 8,
  author: 10,
  hash: 10,
  text: 9,
  /** Around the parts of a message that is not one text. */
  list: 5,
  reasoning: 20,
  toolCall: 20,
  toolResult: 25,
  file: 26,
  /** Around text that is delimited as data. */
  block: 48,
  attachment: 14,
  opaque: 4,
} as const

/** For base64 and encrypted text; measured: 4.9 bytes per token. */
export const bytesPerToken = 4

// Numbers with separators have the most tokens per byte of all attached texts.
export const textBytesPerToken = 2

// A second of audio has at most 32 tokens and at least 3 KB;
// a second of video has about 300 tokens and rarely less than 30 KB.
export const mediaBytesPerToken = 64
export const unknownMediaTokens = 30_000

// Providers read a page as text (up to 3,000 tokens) and as a picture (up to 1,600),
// and accept a hundred pages; a longer file is refused, not billed.
export const maxPdfTokens = 100 * (3_000 + 1_600)
export const unknownPdfTokens = 10 * (3_000 + 1_600)
export const unknownFileTokens = 10_000

// Hints such as cache_control are short and not part of the prompt; data that providers
// want back later (thought signatures) is long.
export const minEncryptedCharacters = 200

// Adapters write the id and title around an excerpt or attachment.
export const labelFrameTokens = 8

// System prompts, schemas, summaries and notes are in every request.
export const textCacheEntries = 256
// Only nearly full requests need exact sizes.
export const closeCacheEntries = 10_000
export const cachedTextCharacters = { min: 24, max: 65_536 }

// A text with more characters per token of the window cannot fit, whatever it contains;
// counting 64 MB would take a minute.
export const maxCountedCharactersPerToken = 16
export const minCountedCharacters = 1_000_000
// JSON writes a control character as `\\u0000`.
export const maxJsonCharacters = 6

/** The longest provider form, as JSON. */
export const wireFrame = { system: 12, tools: 6, tool: 9, emptySchema: 16, filler: 13 } as const
