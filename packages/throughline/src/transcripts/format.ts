/** The formats that the package reads. Which one a file has is found in its text (see `detect-format.ts`). */
import type { Outline } from './json/document-outline.ts'
import type { ReaderInput } from './json/scan-source.ts'

/** The formats that are read, by name; our own first. See `detectFormat`. */
export const transcriptFormats = [
  'throughline',
  'claude-code',
  'codex',
  'pi',
  'chatgpt',
  'openai',
  'anthropic',
  'ai-sdk',
  'messages',
  'text',
  'mini-swe',
] as const

export type TranscriptFormat = (typeof transcriptFormats)[number]

/** What a format is known by: the outline of a document, and its text as far as it is seen. */
export type FormatSign = (outline: Outline, head: string) => boolean

/** A set of formats: in the order in which they are asked, special cases first, and who reads each. */
export interface FormatSet<Name extends string, Item> {
  readonly signs: readonly (readonly [Name, FormatSign])[]
  readonly readers: Readonly<Record<Name, (input: ReaderInput) => AsyncIterable<Item>>>
}
