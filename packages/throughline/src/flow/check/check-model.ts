/** Warns of a model that the catalogue does not know, and refuses it where the caller wants that. */
import type { ContextWarning } from '../../domain/context.ts'
import type { ModelCard } from '../../domain/model-card.ts'
import { describe, grouped } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'

export function unknownModelWarning(
  model: string,
  found: { readonly card: ModelCard; readonly suggestions: readonly string[] },
): ContextWarning {
  const { card, suggestions } = found
  const window = `its window is assumed to be ${grouped(card.contextWindowTokens)} tokens`
  const text = `unknown model ${describe(model)}: ${window}. ${adviceOn(suggestions)}`
  return { code: 'MODEL_UNKNOWN', text, suggestions }
}

/** With `strictModels`, the warning about an unknown model becomes an error. */
export function refuseUnknownModel(model: string, warnings: readonly ContextWarning[]): void {
  const warning = warnings.find(({ code }) => code === 'MODEL_UNKNOWN')
  if (warning === undefined) return
  const { suggestions } = warning
  throw new ThroughlineError(
    'MODEL_UNKNOWN',
    `unknown model ${describe(model)}, and strictModels is set. ${adviceOn(suggestions)}`,
    { details: { model, suggestions } },
  )
}

function adviceOn(suggestions: readonly string[]): string {
  if (suggestions.length === 0) return 'Set its window: models: [{ id, contextWindowTokens }]'
  const names = suggestions.map((name) => `"${name}"`).join(' or ')
  return `Did you mean ${names}? Otherwise set its window: models: [{ id, contextWindowTokens }]`
}
