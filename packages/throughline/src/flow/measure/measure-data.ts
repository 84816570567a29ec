/** Figures that counting goes by: what frames, files and sealed blocks cost, and what is cached. */
/** Of the longest of the providers' forms, in o200k. */
export const frameTokens = {
  message: 8,
  author: 10,
  hash: 10,
  text: 9,
  /** Around the parts, where there is more than one text. */
  list: 5,
  reasoning: 20,
  toolCall: 20,
  toolResult: 25,
  file: 26,
  /** Text that is set apart as data. */
  block: 48,
  attachment: 14,
  opaque: 4,
} as const

/** Base64 and cipher text: models need 4.9 bytes for a token of it. */
export const bytesPerToken = 4

// Numbers with separators are the densest text that people attach.
export const textBytesPerToken = 2

// A second of sound is 32 tokens or less, and 3 KB even where it is packed hard;
// a second of film is about 300 tokens and rarely under 30 KB.
export const mediaBytesPerToken = 64
export const unknownMediaTokens = 30_000

// Providers read a page as text (up to 3,000 tokens) and as a picture (up to 1,600),
// and take a hundred pages; beyond that a file is refused, not billed.
export const maxPdfTokens = 100 * (3_000 + 1_600)
export const unknownPdfTokens = 10 * (3_000 + 1_600)
export const unknownFileTokens = 10_000

// Hints such as cache_control are short and not part of the prompt; what providers
// hang on a part to get back later (thought signatures) is long.
export const sealedMinCharacters = 200

// An excerpt or an attachment is written with its id and title around it.
export const labelFrameTokens = 8

// System prompts, schemas, summaries and notes come again with each request.
export const textCacheEntries = 256
// Only requests that are nearly full are looked at so closely.
export const closeCacheEntries = 10_000
export const cachedTextCharacters = { from: 24, to: 65_536 }

// Longer than this in characters for each token of the window, a text cannot fit, whatever
// is in it; and to count 64 MB would take a minute.
export const uncountedCharactersPerToken = 16
export const uncountedCharacters = 1_000_000
// `\\u0000`
export const maxJsonCharacters = 6

/** Of the longest of the providers' forms. */
export const wireFrame = { system: 12, tools: 6, tool: 9, emptySchema: 16 } as const
