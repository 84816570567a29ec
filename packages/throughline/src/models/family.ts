/**
 * A row of the catalogue: models that share a window. It also matches names that begin like one of its
 * own (`gpt-4o-2024-08-06`), so a general name has the smallest window of its models, and models with
 * other windows have their own rows.
 */
import type { ModelCard } from '../domain/model-card.ts'

export interface Family {
  readonly names: readonly string[]
  readonly card: Omit<ModelCard, 'id'>
}

/** The fields that differ between rows. */
export interface FamilyRow {
  /** Names, with a space between them. */
  readonly names: string
  readonly window: number
  readonly output: number | null
  /** The largest prompt, where it is smaller than the window. */
  readonly input?: number
  readonly source: string
}

export type FamilyDefaults = Pick<
  ModelCard,
  'provider' | 'tokenizer' | 'tokensPerEstimate' | 'pictures' | 'overhead'
>

export function families(defaults: FamilyDefaults, rows: readonly FamilyRow[]): readonly Family[] {
  return rows.map(({ names, window, output, input = null, source }) => {
    const limits = { contextWindowTokens: window, maxInputTokens: input, maxOutputTokens: output }
    return { names: names.split(' '), card: { ...defaults, ...limits, windowSource: source } }
  })
}

/** A file of the public catalogue models.dev, as of a date. */
export function modelsDev(path: string, date: string): string {
  return `models.dev, ${path}.toml, ${date}`
}
