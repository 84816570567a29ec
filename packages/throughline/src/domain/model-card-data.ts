/** Figures of models that state none, and what completes their cards. */

export const defaultOverhead = {
  perRequestTokens: 3,
  perMessageTokens: 4,
  perToolUseTokens: 10,
  perToolTokens: 10,
  toolPreambleTokens: 0,
} as const

/** For an unknown model: the most that the plain tier of a large provider bills. */
export const defaultPictures = {
  kind: 'patches',
  patchPixels: 28,
  maxPatches: 1_600,
  tokensPerPatch: 1,
} as const

/**
 * For unmeasured vocabularies: they have at most half as many entries as o200k, and cut text about
 * as fine as those that we have measured.
 */
export const unmeasuredTokensPerEstimate = 1.3

export const unsetCard = {
  provider: null,
  maxInputTokens: null,
  maxOutputTokens: null,
  windowSource: 'set by you',
  tokenizer: 'estimate',
  tokensPerEstimate: unmeasuredTokensPerEstimate,
  overhead: defaultOverhead,
  pictures: defaultPictures,
} as const

/** The figures of each rule for pictures. */
export const pictureFields = {
  fixed: ['tokens'],
  patches: ['patchPixels', 'maxPatches', 'tokensPerPatch'],
  tiles: ['tilePixels', 'longSidePixels', 'shortSidePixels', 'tokensPerTile'],
}
