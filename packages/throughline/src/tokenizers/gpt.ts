/**
 * The exact tokenizers of OpenAI's models, from the optional package `gpt-tokenizer`. A vocabulary
 * has some megabytes, so it is loaded only when it is needed. Where files can be read, only the file
 * of the vocabulary is, and our own code merges; both count the same.
 */
import { describe } from '../domain/text.ts'
import { isNotInstalled, ThroughlineError } from '../errors.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { countByRanks, readRanks } from './byte-pair-encoding.ts'
import { type CountTokens, cutLongRuns } from './cut-long-runs.ts'
import { rememberLines } from './remember-lines.ts'
import { readVocabularyFile } from './vocabulary-file.ts'

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
  const count = (await countByFile(encoding)) ?? (await countByPackage(encoding))
  if (count === null) return null
  return { id: `gpt/${encoding}/1`, exact: true, count: rememberLines(cutLongRuns(count)) }
}

/** With our own merging. Null where the files of the package cannot be read. */
export function countByFile(encoding: GptEncodingName): Promise<CountTokens | null> {
  const count = countsByFile.get(encoding) ?? readCount(encoding)
  countsByFile.set(encoding, count)
  return count
}

// Several models have one encoding.
const countsByFile = new Map<GptEncodingName, Promise<CountTokens | null>>()

async function readCount(encoding: GptEncodingName): Promise<CountTokens | null> {
  const file = await readVocabularyFile(encoding)
  const split = file && (await whereInstalled(() => splitOf(encoding)))
  return file && split && countByRanks(readRanks(file), split)
}

async function splitOf(encoding: GptEncodingName): Promise<RegExp> {
  const { O200K_TOKEN_SPLIT_REGEX, CL100K_TOKEN_SPLIT_REGEX } = await import(
    'gpt-tokenizer/encodingParams/constants'
  )
  return encoding === 'o200k_base' ? O200K_TOKEN_SPLIT_REGEX : CL100K_TOKEN_SPLIT_REGEX
}

/** Counts the same. Null where the package is not installed. */
export async function countByPackage(encoding: GptEncodingName): Promise<CountTokens | null> {
  const gpt = await whereInstalled(() => importEncoding(encoding))
  if (gpt === null) return null
  gpt.setMergeCacheSize(maxCachedPieces)
  let charactersSinceClear = 0
  return (text) => {
    const tokens = gpt.countTokens(text, asPlainText)
    charactersSinceClear += text.length
    if (charactersSinceClear > charactersBetweenClears) {
      gpt.clearMergeCache()
      charactersSinceClear = 0
    }
    return tokens
  }
}

// "<|endoftext|>" in a message is plain text; by default the package throws on it.
const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

// At every hit, the package moves the cached piece to the end of a Map, and sometimes the runtime then
// copies the whole Map. With the default of 100,000 pieces, counting 1 MB took seconds.
const maxCachedPieces = 1_000

// A cached piece keeps the whole text that it was cut from in memory, so the cache is cleared often.
const charactersBetweenClears = 1_000_000

interface GptEncoding {
  countTokens(text: string, options: typeof asPlainText): number
  setMergeCacheSize(pieces: number): void
  clearMergeCache(): void
}

function importEncoding(encoding: GptEncodingName): Promise<GptEncoding> {
  switch (encoding) {
    case 'o200k_base':
      return import('gpt-tokenizer/encoding/o200k_base')
    case 'cl100k_base':
      return import('gpt-tokenizer/encoding/cl100k_base')
  }
}

async function whereInstalled<Value>(load: () => Promise<Value>): Promise<Value | null> {
  try {
    return await load()
  } catch (cause) {
    if (isNotInstalled(cause)) return null
    throw cause
  }
}
