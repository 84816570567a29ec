/**
 * The models that we know, and how a name finds its card: exactly (a date or a
 * revision aside), by the longest family name that it begins with, or not at all.
 *
 * A model that nobody knows gets a small window: too small costs an early
 * compaction, too large a refused request. 8,192 is what the smallest chat models
 * still served have (gpt-4, Llama 3).
 */

import { type ModelCard, unsetCard } from '../domain/model-card.ts'
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
  const cardBy = (keys: readonly string[]) => {
    const key = keys.find((each) => own.has(each) || familiesByKey.has(each)) ?? ''
    return own.get(key) ?? cardOf(familiesByKey.get(key), asked)
  }
  const exact = cardBy([asked.key, asked.undatedKey])
  const card = exact ?? cardBy(shorterKeys(asked.key))
  const match = exact !== null ? 'exact' : card !== null ? 'family' : 'fallback'
  return { card: withStatedWindow(card ?? unknownCard(asked), asked), match }
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

function cardOf(family: Family | undefined, { id }: ModelName): ModelCard | null {
  return family === undefined ? null : { id, ...family.card }
}

function withStatedWindow(card: ModelCard, asked: ModelName): ModelCard {
  const contextWindowTokens = asked.statedWindowTokens
  if (contextWindowTokens === null) return card
  return { ...card, contextWindowTokens, windowSource: 'stated in the name of the model' }
}

function unknownCard({ id, vendor }: ModelName): ModelCard {
  return {
    ...{ id, ...unsetCard, provider: vendor, contextWindowTokens: fallbackWindowTokens },
    windowSource: 'conservative default, model unknown',
  }
}
