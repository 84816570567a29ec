/** Resolves the summarizers of a checked policy: each style with its models. */
import type { Policy, Summarizer } from '../domain/policy.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { StyledModels, SummaryStyle } from '../ports/summary-style.ts'
import { digest } from '../summarizers/digest/digest.ts'
import { readPrompt } from '../summarizers/digest/prompt.ts'
import { running } from '../summarizers/running/running.ts'
import { structured } from '../summarizers/structured/structured.ts'
import { modelsOf } from './summary-models.ts'

export function styledModels(
  { name, summarizers }: Pick<Policy, 'name' | 'summarizers'>,
  models: readonly LanguageModel[],
): readonly StyledModels[] {
  return summarizers.map((summarizer) => ({
    style: styleOf(summarizer),
    depthMax: summarizer.style === 'structured' ? summarizer.depthMax : 1,
    models: modelsOf(summarizer, name, models),
  }))
}

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
