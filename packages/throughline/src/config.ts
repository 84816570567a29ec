/**
 * Options in, settings out, once: unknown values are checked here and nowhere
 * else, and what comes out is frozen. Defaults stand in `defaults.ts`.
 */
import { defaults } from './defaults.ts'
import { type ModelCard, type ModelCardInput, modelCard } from './domain/model-card.ts'
import { ThroughlineError } from './errors.ts'
import type { Clock } from './ports/clock.ts'
import type { Store } from './ports/store.ts'
import type { Tokenizer } from './ports/tokenizer.ts'
import { memory } from './stores/memory.ts'
import { systemClock } from './system.ts'

export interface ThroughlineOptions {
  /** Where conversations live; in memory when left out. */
  readonly store?: Store | undefined
  /**
   * How tokens are counted: `auto` (exact where the model's tokenizer is
   * installed, an upper estimate elsewhere), `exact` (or an error), `estimate`, or
   * a tokenizer of your own.
   */
  readonly tokenizer?: TokenizerChoice | undefined
  /** Models that we do not know, or know differently from you. */
  readonly models?: readonly ModelCardInput[] | undefined
  readonly clock?: Clock | undefined
}

export type TokenizerChoice = 'auto' | 'exact' | 'estimate' | Tokenizer

export interface Settings {
  readonly store: Store
  readonly tokenizer: TokenizerChoice
  readonly models: readonly ModelCard[]
  readonly clock: Clock
  readonly messageBytesMax: number
  readonly pageMessages: number
}

const optionChecks: Readonly<Record<keyof ThroughlineOptions, (value: unknown) => string | null>> =
  {
    store: (value) =>
      needsMethods(value, ['tenant', 'close'], 'a store, such as sqlite("chat.db")'),
    tokenizer: (value) =>
      value === 'auto' || value === 'exact' || value === 'estimate'
        ? null
        : needsMethods(value, ['count'], '"auto", "exact", "estimate" or a tokenizer'),
    models: (value) => (Array.isArray(value) ? null : 'must be an array of model cards'),
    clock: (value) => needsMethods(value, ['now'], 'a clock with now()'),
  }

export function readSettings(options: unknown): Settings {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw invalid('createThroughline takes an object of options')
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionChecks, name))
      throw invalid(
        `there is no option "${name}"; there are ${Object.keys(optionChecks).join(', ')}`,
      )
    const wrong = value === undefined ? null : optionChecks[name as keyof ThroughlineOptions](value)
    if (wrong !== null) throw invalid(`option "${name}" ${wrong}`)
  }
  const checked = options as ThroughlineOptions
  return Object.freeze({
    store: checked.store ?? memory(),
    tokenizer: checked.tokenizer ?? defaults.tokenizer.value,
    models: Object.freeze((checked.models ?? []).map(modelCard)),
    clock: checked.clock ?? systemClock,
    messageBytesMax: defaults.messageBytesMax.value,
    pageMessages: defaults.pageMessages.value,
  })
}

function needsMethods(value: unknown, methods: readonly string[], what: string): string | null {
  const owner = value as Readonly<Record<string, unknown>> | null
  const has = (method: string) => typeof owner?.[method] === 'function'
  return typeof owner === 'object' && methods.every(has) ? null : `must be ${what}`
}

function invalid(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', message)
}
