/** What holds for every sentence that a model writes after a reply, and the JSON it is asked for in. */
import type { JsonObject } from '../../domain/json.ts'
import { houseRules } from '../prompt-blocks.ts'

/** A sentence has at most so many characters, as code points. */
export const sentenceCharacters = 300

/** Room for the form, for scripts that need a token and more for each character. */
export const sentenceTokens = 600
export const foldingTokens = 1_600

export const sentenceRules: readonly string[] = [
  `Write exactly one sentence of at most ${sentenceCharacters} characters.`,
  'Use the EXACT names from the text. Do not invent, translate or paraphrase a name.',
  'Name things by their names. Write an id only where it names a document or a resource.',
  'Tell a long list by its count and its kind, and do not enumerate it.',
  ...houseRules,
]

/** A turn in a sentence; and where the history has grown too long, its oldest lines in short. */
export interface TurnSummary {
  readonly summary: string
  readonly history: string | null
}

/** Of an answer, of a turn, and of what a conversation is about. */
export const sentenceSchema: JsonObject = schemaOf({
  summary: `One sentence of at most ${sentenceCharacters} characters.`,
})

export function schemaWithHistory(mostCharacters: number): JsonObject {
  return schemaOf({
    summary: `One sentence of at most ${sentenceCharacters} characters.`,
    history: `The older history in short, at most ${mostCharacters} characters.`,
  })
}

/** Caps stand in descriptions: several providers refuse `maxLength`, so answers are checked. */
function schemaOf(fields: Readonly<Record<string, string>>): JsonObject {
  const properties = Object.entries(fields).map(
    ([name, description]) => [name, { type: 'string', description }] as const,
  )
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(fields),
    additionalProperties: false,
  }
}
