import type { ContextWarning } from '../../domain/context.ts'
import type { ModelCard } from '../../domain/model-card.ts'
import { describe, grouped, nearest } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'

export function invalidOption(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', message)
}

export function checkOptions<Options extends object>(
  options: Options,
  known: readonly (keyof Options & string)[],
  where: string,
  /** Extra text for the error about an unknown name. */
  advice: (name: string) => string = () => '',
): Options {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw invalidOption(`${where} takes an object of options, got ${describe(options)}`)
  const names: readonly string[] = known
  for (const name of Object.keys(options))
    if (!names.includes(name)) {
      const similar = nearest(name, names)
      const hint = similar === null ? '' : `; did you mean "${similar}"?`
      const list = `${names.join(', ')}${advice(name)}`
      throw invalidOption(`${where} has no option "${name}"; it takes ${list}${hint}`)
    }
  return options
}

/** The caller supplies the clock; stores need whole milliseconds. */
export function timeOf(clock: Clock): number {
  const time = clock.now()
  if (!Number.isSafeInteger(time))
    throw invalidOption(`the clock must give whole milliseconds, got ${describe(time)}`)
  return time
}

/** Warns of a model that the catalogue does not know. */
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
  const text = `unknown model ${describe(model)}, and strictModels is set. ${adviceOn(suggestions)}`
  throw new ThroughlineError('MODEL_UNKNOWN', text, { details: { model, suggestions } })
}

function adviceOn(suggestions: readonly string[]): string {
  if (suggestions.length === 0) return 'Set its window: models: [{ id, contextWindowTokens }]'
  const names = suggestions.map((name) => `"${name}"`).join(' or ')
  return `Did you mean ${names}? Otherwise set its window: models: [{ id, contextWindowTokens }]`
}
