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

/** For `strictModels`. */
export function refuseUnknownModel(model: string, warnings: readonly ContextWarning[]): void {
  const unknown = warnings.find(({ code }) => code === 'MODEL_UNKNOWN')
  if (unknown === undefined) return
  const { suggestions } = unknown
  throw new ThroughlineError(
    'MODEL_UNKNOWN',
    `unknown model ${describe(model)}, and strictModels is set. ${adviceOn(suggestions)}`,
    { details: { model, suggestions } },
  )
}

function adviceOn(suggestions: readonly string[]): string {
  const names = suggestions.map((name) => `"${name}"`).join(' or ')
  const advice = 'et its window: models: [{ id, contextWindowTokens }]'
  return names === '' ? `S${advice}` : `Did you mean ${names}? Otherwise s${advice}`
}
