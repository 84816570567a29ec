/** What a model is asked for a long answer: what was accomplished, in a sentence. */
import { dataBlock } from '../../domain/data-block.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import { listed } from '../prompt-blocks.ts'
import { sentenceRules, sentenceSchema, sentenceTokens } from './sentence-rules.ts'

export interface ResponseAsked {
  /** The beginning of it. */
  readonly response: string
  /** From all of it. */
  readonly names: readonly string[]
  readonly outcomes: readonly string[]
}

export function responsePrompt({ response, names, outcomes }: ResponseAsked): ModelRequest {
  return {
    system: instructions,
    messages: [
      {
        role: 'user',
        content: [
          `The answer:\n\n${dataBlock('answer', response)}`,
          ...(names.length === 0 ? [] : [`Exact names in it:\n\n${lines('names', names)}`]),
          ...(outcomes.length === 0 ? [] : [`What was done:\n\n${lines('steps', outcomes)}`]),
          'Write the JSON object now.',
        ].join('\n\n'),
      },
    ],
    maxOutputTokens: sentenceTokens,
    temperature: 0,
    schema: sentenceSchema,
  }
}

function lines(label: string, items: readonly string[]): string {
  return dataBlock(label, items.join('\n'))
}

const instructions = [
  'An assistant has answered a user. Say in one sentence what was accomplished; the sentence stands in place of the answer from now on.',
  'Output a JSON object ONLY: { "summary": string }',
  'Rules:',
  listed([
    'Proposals are not completed actions. "I\'ll save the recipes" becomes "Proposed to save recipes; awaiting confirmation".',
    '"Done! I saved the recipes." becomes "Saved recipes: [exact names]".',
    ...sentenceRules,
  ]),
].join('\n\n')
