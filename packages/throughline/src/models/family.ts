/**
 * A row of the catalogue: models that share a window, under the names they go by.
 *
 * A row also stands for names that begin like one of its own (`gpt-4o` for
 * `gpt-4o-2024-08-06`), so a row with a general name carries the smallest window
 * of those that it stands for, and members with other windows have rows of their own.
 */
import type { Overhead, PictureRule, TokenizerName } from '../domain/model-card.ts'

export interface Family {
  readonly provider: string
  readonly names: readonly string[]
  readonly windowTokens: number
  readonly outputTokens: number | null
  readonly inputTokens: number | null
  readonly source: string
  readonly tokenizer: TokenizerName
  readonly tokensPerEstimate: number
  readonly pictures: PictureRule
  readonly overhead: Overhead
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
  Family,
  'provider' | 'tokenizer' | 'tokensPerEstimate' | 'pictures' | 'overhead'
>

export function families(defaults: FamilyDefaults, rows: readonly FamilyRow[]): readonly Family[] {
  return rows.map((row) => ({
    ...defaults,
    names: row.names.split(' '),
    windowTokens: row.window,
    outputTokens: row.output,
    inputTokens: row.input ?? null,
    source: row.source,
  }))
}

/** A file of the public catalogue models.dev, as it stood on a date. */
export function modelsDev(path: string, date: string): string {
  return `models.dev, ${path}.toml, ${date}`
}
