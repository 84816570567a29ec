/** The styles that a checked policy names, each with the models that it may ask. */
import * as v from 'valibot'
import type { Policy, Summarizer } from '../domain/policy.ts'
import { describe } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { StyledModels, SummaryStyle, SummaryTree } from '../ports/summary-style.ts'
import { digest } from '../summarizers/digest/digest.ts'
import { readPrompt } from '../summarizers/digest/prompt.ts'
import { running } from '../summarizers/running/running.ts'
import { structured } from '../summarizers/structured/structured.ts'
import { messageTree } from '../summarizers/tree/chunk-tree.ts'
import { pricesSettings, text, whole } from './schema.ts'

export function styledModels(
  { name, summarizers }: Pick<Policy, 'name' | 'summarizers'>,
  models: readonly LanguageModel[],
): readonly StyledModels[] {
  return summarizers.map((summarizer) => ({
    style: styleOf(summarizer),
    depthMax: summarizer.style === 'structured' ? summarizer.depthMax : 1,
    models:
      summarizer.models === undefined ? models : chosenModels(name, summarizer.models, models),
  }))
}

/** Without any model rules write the summary, whoever is named. */
function chosenModels(
  policy: string,
  ids: readonly string[],
  models: readonly LanguageModel[],
): readonly LanguageModel[] {
  if (models.length === 0) return []
  return ids.map((id) => {
    const model = models.find((each) => each.id === id)
    if (model !== undefined) return model
    const known = models.map((each) => each.id).join(', ')
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `policy ${policy}: a summarizer asks for ${describe(id)}; the models are ${known}`,
    )
  })
}

/** How a message is summarized that is too large to be shown, whichever style the policy has. */
export function treeOfMessages(): SummaryTree {
  return messageTree
}

/** Models as a caller hands them in: one, or several in the order of preference. */
export function readModels(given: unknown): readonly LanguageModel[] {
  const models: readonly unknown[] =
    given === undefined ? [] : Array.isArray(given) ? given : [given]
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

/** The style that a checked summarizer names. */
function styleOf(summarizer: Summarizer): SummaryStyle {
  switch (summarizer.style) {
    case 'structured':
      return structured(summarizer)
    case 'running':
      return running(summarizer)
    case 'digest': {
      const read = summarizer.prompt === null ? null : readPrompt(summarizer.prompt)
      return digest({ prompt: read?.ok ? read.value : null })
    }
  }
}
