/**
 * The form of a structured summary, for providers that write by a schema.
 *
 * Every field is required and nothing else is allowed, as the strictest of them ask; what may
 * be missing is null or empty. Caps stand in descriptions: several providers refuse `maxItems`
 * and `maxLength`, so an answer is checked when it comes.
 */
import type { JsonObject } from '../../domain/json.ts'
import { caps, type ListName } from './caps.ts'

export const structuredSchema: JsonObject = object({
  summary: text(
    `The story in one or more paragraphs, at most ${caps.summaryCharacters} characters, never empty.`,
  ),
  keyPoints: list('What matters most, one point each.', caps.keyPoints),
  context: object({
    participants: list('Who took part.', caps.participants),
    decisions: list('What was decided.', caps.decisions),
    actionItems: {
      type: 'array',
      description: `What is left to be done. At most ${caps.actionItems.items} items.`,
      items: object({
        owner: orNull(
          `Whose it is; null where nobody was named. At most ${caps.actionItems.wordCharacters} characters.`,
        ),
        task: text(`At most ${caps.actionItems.taskCharacters} characters.`),
        due: orNull(
          `By when; null where no time was named. At most ${caps.actionItems.wordCharacters} characters.`,
        ),
      }),
    },
    unresolved: list('What is still open.', caps.unresolved),
    domainEntities: list(
      'Names of files, classes, functions, interfaces, exactly as written.',
      caps.domainEntities,
    ),
  } satisfies Record<ListName | 'actionItems', JsonObject>),
})

function object(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

function text(description: string): JsonObject {
  return { type: 'string', description }
}

function orNull(description: string): JsonObject {
  return { type: ['string', 'null'], description }
}

function list(
  description: string,
  { items, characters }: { readonly items: number; readonly characters: number },
): JsonObject {
  return {
    type: 'array',
    description: `${description} At most ${items} items of at most ${characters} characters.`,
    items: { type: 'string' },
  }
}
