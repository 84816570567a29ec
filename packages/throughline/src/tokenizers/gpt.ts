/**
 * The exact tokenizers of OpenAI's models, from the optional peer `gpt-tokenizer`. Loaded on
 * demand, because a vocabulary is some megabytes.
 */
import { describe } from '../domain/text.ts'
import { isNotInstalled, ThroughlineError } from '../errors.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { guardLongRuns } from './guard.ts'
import { rememberLines } from './remember-lines.ts'

export type GptEncodingName = 'o200k_base' | 'cl100k_base'

/**
 * The exact tokenizer of an encoding, or null where `gpt-tokenizer` is not installed.
 *
 * @example
 * const gpt = (await loadGptTokenizer('o200k_base')) ?? (await loadEstimator())
 * const meter = createMeter({ card: findModel('gpt-4o').card, tokenizer: gpt })
 */
export async function loadGptTokenizer(encoding: GptEncodingName): Promise<Tokenizer | null> {
  if (encoding !== 'o200k_base' && encoding !== 'cl100k_base')
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `an encoding is "o200k_base" or "cl100k_base", got ${describe(encoding)}`,
    )
  const gpt = await importEncoding(encoding)
  if (gpt === null) return null
  gpt.setMergeCacheSize(maxCachedPieces)
  let charactersSinceClear = 0
  const count = rememberLines(guardLongRuns((text) => gpt.countTokens(text, asPlainText)))
  return {
    id: `gpt/${encoding}/1`,
    exact: true,
    count(text) {
      const tokens = count(text)
      charactersSinceClear += text.length
      if (charactersSinceClear > charactersBetweenClears) {
        gpt.clearMergeCache()
        charactersSinceClear = 0
      }
      return tokens
    },
  }
}

// "<|endoftext|>" in a message is plain text; by default the package throws on it.
const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

// The package moves a cached piece to the end of a Map at every hit, which at
// unlucky sizes copies the whole Map: with its 100,000 pieces, 1 MB took seconds.
const maxCachedPieces = 1_000

// Each cached piece keeps the whole text it was cut from in memory, so the cache is cleared often.
const charactersBetweenClears = 1_000_000

interface GptEncoding {
  countTokens(text: string, options: typeof asPlainText): number
  setMergeCacheSize(pieces: number): void
  clearMergeCache(): void
}

async function importEncoding(encoding: GptEncodingName): Promise<GptEncoding | null> {
  try {
    switch (encoding) {
      case 'o200k_base':
        return await import('gpt-tokenizer/encoding/o200k_base')
      case 'cl100k_base':
        return await import('gpt-tokenizer/encoding/cl100k_base')
    }
  } catch (cause) {
    if (isNotInstalled(cause)) return null
    throw cause
  }
}
