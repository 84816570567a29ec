/** The request for a structured summary. */
import type { JsonObject } from '../../domain/json.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import type { Asked } from '../plan-steps.ts'
import {
  askedTokens,
  listed,
  objectSchema,
  singleRequest,
  sourceBlocks,
  textSchema,
} from '../prompt-blocks.ts'
import { caps, type ListCap, type ListName } from './caps-data.ts'
import { form, opening, structuredRules } from './prompt-words-data.ts'

interface StructuredAsked extends Asked {
  readonly depth: number
  readonly summaryTokens: number
}

export function structuredPrompt(asked: StructuredAsked): ModelRequest {
  const { summaryTokens, messages, transcriptTokens, depth } = asked
  return singleRequest({
    system: [
      ...opening,
      form,
      'Rules:',
      listed([
        ...structuredRules,
        `Keep the whole object under ${askedTokens(summaryTokens)} tokens.`,
      ]),
    ].join('\n\n'),
    content: [
      `<meta total_messages=${messages} total_tokens=${transcriptTokens} depth=${depth} />`,
      ...sourceBlocks(asked),
      'Write the JSON object now.',
    ].join('\n\n'),
    maxOutputTokens: outputTokens(summaryTokens),
    schema: structuredSchema,
  })
}

// Room for JSON and for models that count badly, because a cut answer is lost.
const formRatio = 2
const formTokens = 256

export function outputTokens(summaryTokens: number): number {
  return summaryTokens * formRatio + formTokens
}

/** For providers with structured output. Optional values are null or empty. */
export const structuredSchema: JsonObject = objectSchema({
  summary: textSchema(
    `The story in one or more paragraphs, at most ${caps.summaryCharacters} characters, never empty.`,
  ),
  keyPoints: list('What matters most, one point each.', caps.keyPoints),
  context: objectSchema({
    participants: list('Who took part.', caps.participants),
    decisions: list('What was decided.', caps.decisions),
    actionItems: {
      type: 'array',
      description: `What is left to be done. At most ${caps.actionItems.items} items.`,
      items: objectSchema({
        owner: orNull('Who owns it; null if no owner was named.'),
        task: textSchema(`At most ${caps.actionItems.taskCharacters} characters.`),
        due: orNull('By when; null if no time was named.'),
      }),
    },
    unresolved: list('What is still open.', caps.unresolved),
    domainEntities: list(
      'Names of files, classes, functions, interfaces, exactly as written.',
      caps.domainEntities,
    ),
  } satisfies Record<ListName | 'actionItems', JsonObject>),
})

function orNull(description: string): JsonObject {
  const most = `At most ${caps.actionItems.wordCharacters} characters.`
  return { type: ['string', 'null'], description: `${description} ${most}` }
}

function list(description: string, { items, characters }: ListCap): JsonObject {
  return {
    type: 'array',
    description: `${description} At most ${items} items of at most ${characters} characters.`,
    items: { type: 'string' },
  }
}
