/** A configured model as one that writes summaries. */

import type { ModelPrices } from '../../domain/model-prices.ts'
import { httpModel } from '../../models/http/http-model.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { Provider } from './find-provider.ts'

export function providerModel(
  model: string,
  { api, baseUrl, key, modelId }: Provider,
  prices: ModelPrices | null = null,
): LanguageModel {
  return httpModel({
    api,
    baseUrl,
    key,
    model: modelId,
    id: model,
    ...(prices !== null && { prices }),
  })
}
