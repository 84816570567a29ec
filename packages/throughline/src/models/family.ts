/**
 * A row of the catalogue: models that share a window, under the names they go by.
 *
 * A row also stands for names that begin like one of its own (`gpt-4o` for
 * `gpt-4o-2024-08-06`), so a row with a general name carries the smallest window
 * of those that it stands for, and members with other windows have rows of their own.
 */
import type { ModelCard } from '../domain/model-card.ts'

export interface Family {
  readonly names: readonly string[]
  readonly card: Omit<ModelCard, 'id'>
}

/** What a row says of itself; the rest is the same for many rows. */
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

/** A file of the public catalogue models.dev, as it stood on a date. */
export function modelsDev(path: string, date: string): string {
  return `models.dev, ${path}.toml, ${date}`
}
