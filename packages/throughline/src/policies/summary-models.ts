/** Checks the models that write summaries, and finds the ones that a policy names. */
import * as v from 'valibot'
import type { Policy, Summarizer } from '../domain/policy.ts'
import { describe } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import { pricesSettings, text, whole } from './schema.ts'

/** Checks the caller's models: one, or several in order of preference. */
export function readModels(input: unknown): readonly LanguageModel[] {
  if (input === undefined) return []
  const models: readonly unknown[] = Array.isArray(input) ? input : [input]
  const wrong = models.find((model) => !v.is(modelSchema, model))
  if (wrong !== undefined)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `option "summarizer" must be a model, such as languageModel("openai/gpt-5-mini"), or several, got ${describe(wrong)}`,
    )
  return Object.freeze([...(models as readonly LanguageModel[])])
}

const modelSchema = v.looseObject({
  id: text(),
  generate: v.function(),
  card: v.nullish(v.looseObject({ contextWindowTokens: whole(1) })),
  prices: v.nullish(v.looseObject(pricesSettings)),
  canContinue: v.optional(v.function()),
})

/** Throws if a summarizer of the policy names a model that the caller did not pass. */
export function checkNamedModels(policy: Policy, models: readonly LanguageModel[]): void {
  for (const summarizer of policy.summarizers) modelsOf(summarizer, policy.name, models)
}

/** An empty list if the caller passed no model; rules (no LLM) then write the summary. */
export function modelsOf(
  { models: ids }: Summarizer,
  policy: string,
  models: readonly LanguageModel[],
): readonly LanguageModel[] {
  if (ids === undefined) return models
  if (models.length === 0) return []
  return ids.map((id) => {
    const model = models.find((each) => each.id === id)
    if (model !== undefined) return model
    const known = models.map((each) => each.id).join(', ')
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `policy ${policy}: a summarizer names the model ${describe(id)}; option "summarizer" has ${known}`,
    )
  })
}
