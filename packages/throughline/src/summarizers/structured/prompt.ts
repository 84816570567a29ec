/** The prompt for a structured summary. Change the version with the words. */
import type { JsonObject } from '../../domain/json.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import type { Asked } from '../plan-steps.ts'
import { listed, objectSchema, singleRequest, sourceBlocks, textSchema } from '../prompt-blocks.ts'
import { houseRules } from '../prompt-words-data.ts'
import { caps, type ListCap, type ListName } from './caps-data.ts'

export const structuredVersion = 2

interface StructuredAsked extends Asked {
  readonly depth: number
  readonly summaryTokens: number
}

export function structuredPrompt(asked: StructuredAsked): ModelRequest {
  const { summaryTokens, messages, transcriptTokens, depth } = asked
  return singleRequest({
    system: instructions(summaryTokens),
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

function instructions(summaryTokens: number): string {
  return [
    'You are an expert conversation summarizer. You write the record from which an assistant continues the conversation when it can no longer see it.',
    'Output a STRICT JSON object ONLY, matching this form. No markdown, no commentary.',
    form,
    'Rules:',
    listed([
      'Preserve technical identifiers (filenames, class names, function signatures) verbatim.',
      'Preserve concrete numbers, dates and versions.',
      'If an element is absent, use an empty array instead of fabricating one.',
      'Do NOT add information that is not present in the source.',
      ...houseRules,
      'Where there is a previous summary, the new one replaces it: keep what still holds, correct what has changed, add what is new.',
      `Keep the whole object under ${summaryTokens} tokens.`,
    ]),
  ].join('\n\n')
}

const form = [
  '{',
  `  "summary": string, not empty, at most ${caps.summaryCharacters} characters,`,
  `  "keyPoints": string[], at most ${caps.keyPoints.items},`,
  '  "context": {',
  `    "participants": string[], at most ${caps.participants.items},`,
  `    "decisions": string[], at most ${caps.decisions.items},`,
  `    "actionItems": { "owner": string or null, "task": string, "due": string or null }[], at most ${caps.actionItems.items},`,
  `    "unresolved": string[], at most ${caps.unresolved.items},`,
  `    "domainEntities": string[], at most ${caps.domainEntities.items}`,
  '  }',
  '}',
].join('\n')

/**
 * The JSON schema of a structured summary, for providers with structured output. Optional values
 * are null or empty.
 */
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
