/** Meters by the name of their model: what one has counted, it need not count again. */
import type { TokenizerChoice } from './config.ts'
import type { ModelCard } from './domain/model-card.ts'
import { createMeter, type Meter } from './flow/measure/measure.ts'
import { findModel } from './models/catalogue.ts'
import { chooseTokenizer } from './tokenizers/choose-tokenizer.ts'

export type Meters = (model: string) => Promise<Meter>

const metersKept = 64

export function rememberedMeters(tokenizer: TokenizerChoice, models: readonly ModelCard[]): Meters {
  const meters = new Map<string, Meter>()
  return async (model) => {
    const meter = meters.get(model) ?? (await meterFor(model, tokenizer, models))
    // Names may come from outside without end; the oldest are forgotten.
    if (meters.size >= metersKept) meters.delete(meters.keys().next().value ?? model)
    meters.set(model, meter)
    return meter
  }
}

/** Counts for no model that is known: rather too many tokens than too few. */
export function estimatingMeter(tokenizer: TokenizerChoice): () => Promise<Meter> {
  const meters = rememberedMeters(tokenizer === 'exact' ? 'estimate' : tokenizer, [])
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
