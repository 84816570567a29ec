/**
 * The models that we know, and how a name finds its card: exactly (a date or a
 * revision aside), by the longest family name that it begins with, or not at all.
 *
 * A model that nobody knows gets a small window: too small costs an early
 * compaction, too large a refused request. 8,192 is what the smallest chat models
 * still served have (gpt-4, Llama 3).
 */

import {
  defaultOverhead,
  defaultPictures,
  type ModelCard,
  unmeasuredTokensPerEstimate,
} from '../domain/model-card.ts'
import { describe } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import { anthropicFamilies } from './families-anthropic-data.ts'
import { googleFamilies } from './families-google-data.ts'
import { mistralFamilies } from './families-mistral-data.ts'
import { openFamilies } from './families-open-data.ts'
import { openaiFamilies } from './families-openai-data.ts'
import type { Family } from './family.ts'
import { keyOf, type ModelName, readModelName } from './model-name.ts'

export interface FoundModel {
  readonly card: ModelCard
  readonly match: 'exact' | 'family' | 'fallback'
}

export const fallbackWindowTokens = 8_192

/**
 * Finds the card of a model by its name. Every name has an answer, which says how sure it is, and its
 * card where the window comes from.
 * Your own cards (`extra`) go before the catalogue.
 *
 * @example
 * findModel('openrouter/anthropic/claude-sonnet-4.5').card.contextWindowTokens // 200_000
 */
export function findModel(name: string, extra: readonly ModelCard[] = []): FoundModel {
  if (typeof name !== 'string')
    throw new ThroughlineError('CONFIG_INVALID', `a model is a name, got ${describe(name)}`)
  const asked = readModelName(name)
  const own = new Map(extra.map((card) => [keyOf(readModelName(card.id).id), card]))
  for (const key of [asked.key, asked.undatedKey]) {
    const card = own.get(key) ?? cardOf(familiesByKey.get(key), asked)
    if (card !== null) return { card: withStatedWindow(card, asked), match: 'exact' }
  }
  for (const key of shorterKeys(asked.key)) {
    const card = own.get(key) ?? cardOf(familiesByKey.get(key), asked)
    if (card !== null) return { card: withStatedWindow(card, asked), match: 'family' }
  }
  return { card: withStatedWindow(unknownCard(asked), asked), match: 'fallback' }
}

const familiesByKey: ReadonlyMap<string, Family> = new Map(
  [
    ...openaiFamilies,
    ...anthropicFamilies,
    ...googleFamilies,
    ...mistralFamilies,
    ...openFamilies,
  ].flatMap((family) => family.names.map((name) => [keyOf(name), family] as const)),
)

/** Every family name in the catalogue, as for "did you mean". See `findModel`. */
export const knownModels: readonly string[] = [...familiesByKey.keys()]

// `gpt-5-2-codex` may belong to `gpt-5-2`, then to `gpt-5`; never to `gpt-5-2-co`.
function shorterKeys(key: string): readonly string[] {
  const keys: string[] = []
  for (let end = key.length - 1; end > 0; end -= 1)
    if (boundaries.has(key.charAt(end))) keys.push(key.slice(0, end))
  return keys
}

const boundaries = new Set(['-', ':', '@'])

function cardOf(family: Family | undefined, asked: ModelName): ModelCard | null {
  if (family === undefined) return null
  return {
    id: asked.id,
    provider: family.provider,
    contextWindowTokens: family.windowTokens,
    maxInputTokens: family.inputTokens,
    maxOutputTokens: family.outputTokens,
    windowSource: family.source,
    tokenizer: family.tokenizer,
    tokensPerEstimate: family.tokensPerEstimate,
    overhead: family.overhead,
    pictures: family.pictures,
  }
}

function withStatedWindow(card: ModelCard, asked: ModelName): ModelCard {
  if (asked.statedWindowTokens === null) return card
  return {
    ...card,
    contextWindowTokens: asked.statedWindowTokens,
    windowSource: 'stated in the name of the model',
  }
}

function unknownCard(asked: ModelName): ModelCard {
  return {
    id: asked.id,
    provider: asked.vendor,
    contextWindowTokens: fallbackWindowTokens,
    maxInputTokens: null,
    maxOutputTokens: null,
    windowSource: 'conservative default, model unknown',
    tokenizer: 'estimate',
    tokensPerEstimate: unmeasuredTokensPerEstimate,
    overhead: defaultOverhead,
    pictures: defaultPictures,
  }
}
