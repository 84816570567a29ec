/** Meters from call to call: what was counted is remembered, though nobody keeps an engine. */
import type { TokenizerChoice } from '../config.ts'
import { defaults } from '../defaults.ts'
import { type ModelCardInput, modelCard } from '../domain/model-card.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { type Meters, rememberedMeters } from '../meters.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'

// Calls come one after the other with the same models.
const meters = new Map<string, Meters>()
const choicesKept = 16

export function metersOf(
  model: string,
  tokenizer: TokenizerChoice = defaults.tokenizer.value,
  models: readonly ModelCardInput[] = [],
): Promise<Meter> {
  const named = ['auto', 'exact', 'estimate'].includes(tokenizer as string)
  if (!named && typeof (tokenizer as Tokenizer)?.count !== 'function')
    throw invalidOption('fit: tokenizer must be "auto", "exact", "estimate" or a tokenizer')
  if (!Array.isArray(models)) throw invalidOption('fit: models must be an array of model cards')
  const cards = models.map((card) => modelCard(card as ModelCardInput))
  // A tokenizer of one's own has no name that we could trust to be its alone.
  if (typeof tokenizer !== 'string') return rememberedMeters(tokenizer, cards)(model)
  const key = JSON.stringify([tokenizer, cards])
  const known = meters.get(key) ?? rememberedMeters(tokenizer, cards)
  if (meters.size >= choicesKept) meters.delete(meters.keys().next().value ?? key)
  meters.set(key, known)
  return known(model)
}
