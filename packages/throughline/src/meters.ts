/** Caches meters by the name of their model: a meter caches its counts. */
import type { ThroughlineOptions, TokenizerChoice } from './config.ts'
import { defaults } from './defaults-data.ts'
import type { ContextWarning } from './domain/context.ts'
import type { ModelCard } from './domain/model-card.ts'
import { invalidOption, unknownModelWarning } from './flow/check/check-options.ts'
import { createMeter, type Meter } from './flow/measure/measure.ts'
import { findModel, modelCards } from './models/catalogue.ts'
import type { Tokenizer } from './ports/tokenizer.ts'
import { chooseTokenizer } from './tokenizers/choose-tokenizer.ts'

export type Meters = (model: string) => Promise<Meter>

type MeteredOptions = Pick<ThroughlineOptions, 'tokenizer' | 'models'>

const maxModels = 64

export function cachedMeters(tokenizer: TokenizerChoice, models: readonly ModelCard[]): Meters {
  const meters = new Map<string, Meter>()
  return async (model) => {
    const meter = meters.get(model) ?? (await meterFor(model, tokenizer, models))
    return cacheEntry(meters, model, meter, maxModels)
  }
}

/** Drops the oldest entry, because names come from outside and their number is unbounded. */
function cacheEntry<Value>(cache: Map<string, Value>, key: string, value: Value, max: number) {
  if (cache.size >= max) cache.delete(cache.keys().next().value ?? key)
  cache.set(key, value)
  return value
}

const tokenizerModes: readonly unknown[] = ['auto', 'exact', 'estimate']

// Successive calls mostly have the same options.
const metersByOptions = new Map<string, Meters>()
const maxOptions = 16

/** The meters of a call without an engine; counts are cached from call to call. */
export function metersOf(
  { tokenizer = defaults.tokenizer, models = [] }: MeteredOptions,
  where: string,
): Meters {
  if (!tokenizerModes.includes(tokenizer) && typeof (tokenizer as Tokenizer)?.count !== 'function')
    throw invalidOption(`${where}: tokenizer must be "auto", "exact", "estimate" or a tokenizer`)
  const cards = cardsIn(models, where)
  // A custom tokenizer has no name that is known to be unique.
  if (typeof tokenizer !== 'string') return cachedMeters(tokenizer, cards)
  const key = JSON.stringify([tokenizer, cards])
  const known = metersByOptions.get(key) ?? cachedMeters(tokenizer, cards)
  return cacheEntry(metersByOptions, key, known, maxOptions)
}

function cardsIn(models: MeteredOptions['models'], where: string): readonly ModelCard[] {
  if (models !== undefined && !Array.isArray(models))
    throw invalidOption(`${where}: models must be an array of model cards`)
  return modelCards(models ?? [])
}

/** Warnings about the model of a request: empty where its card is known. */
export type ModelWarnings = (model: string) => readonly ContextWarning[]

export function cachedWarnings(models: readonly ModelCard[]): ModelWarnings {
  const warnings = new Map<string, readonly ContextWarning[]>()
  return (model) => {
    const known = warnings.get(model) ?? warningsFor(model, models)
    return cacheEntry(warnings, model, known, maxModels)
  }
}

/** The warnings of a call without an engine. */
export function warningsOf(
  { models }: Pick<MeteredOptions, 'models'>,
  where: string,
): ModelWarnings {
  const cards = cardsIn(models, where)
  return (model) => warningsFor(model, cards)
}

function warningsFor(model: string, models: readonly ModelCard[]): readonly ContextWarning[] {
  const found = findModel(model, models)
  return found.match === 'fallback' ? [unknownModelWarning(model, found)] : []
}

/** Counts without a known model: rather too many tokens than too few. */
export function estimatingMeter(tokenizer: TokenizerChoice): () => Promise<Meter> {
  const meters = cachedMeters(tokenizer === 'exact' ? 'estimate' : tokenizer, [])
  return () => meters('unknown')
}

async function meterFor(
  model: string,
  tokenizer: TokenizerChoice,
  models: readonly ModelCard[],
): Promise<Meter> {
  const { card } = findModel(model, models)
  return createMeter({ card, tokenizer: await chooseTokenizer(tokenizer, card) })
}
