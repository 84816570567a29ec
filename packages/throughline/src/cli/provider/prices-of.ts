/** What a model costs, where the settings say it: `models: { "openai/gpt-5-mini": { "prices": … } }`. */
import type { ModelPrices } from '../../domain/model-prices.ts'
import { findModel } from '../../models/catalogue.ts'
import type { CliSettings } from '../settings/setting-fields.ts'

export function pricesOf(
  model: string,
  { models }: Pick<CliSettings, 'models'>,
): ModelPrices | null {
  return models[model]?.prices ?? models[findModel(model).card.id]?.prices ?? null
}
