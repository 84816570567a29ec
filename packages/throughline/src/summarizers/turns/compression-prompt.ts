/**
 * What a model is asked for a turn that is shown no longer in full: the exchange in a sentence.
 * Where the history has grown too long, the same answer brings its oldest lines in short.
 */
import { dataBlock } from '../../domain/data-block.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import { listed } from '../prompt-blocks.ts'
import {
  foldingTokens,
  schemaWithHistory,
  sentenceRules,
  sentenceSchema,
  sentenceTokens,
} from './sentence-rules.ts'

export interface CompressionAsked {
  readonly user: string
  readonly assistant: string
  readonly names: readonly string[]
  readonly outcomes: readonly string[]
  /** Null where the history is short enough. */
  readonly folding: Folding | null
}

export interface Folding {
  /** The oldest lines, oldest first. */
  readonly lines: readonly string[]
  readonly mostCharacters: number
}

export function compressionPrompt(asked: CompressionAsked): ModelRequest {
  const { folding } = asked
  return {
    system: instructions(folding),
    messages: [{ role: 'user', content: source(asked) }],
    maxOutputTokens: folding === null ? sentenceTokens : foldingTokens,
    temperature: 0,
    schema: folding === null ? sentenceSchema : schemaWithHistory(folding.mostCharacters),
  }
}

function instructions(folding: Folding | null): string {
  return [
    'A turn of a conversation is shown no longer in full. Say in one sentence what the user asked and what action was taken; the sentence stands in place of the turn from now on.',
    folding === null
      ? 'Output a JSON object ONLY: { "summary": string }'
      : 'Output a JSON object ONLY: { "summary": string, "history": string }',
    'Rules for the summary:',
    listed([
      'Proposals are not completed actions. "I\'ll design 3 recipes" becomes "User requested X; assistant proposed a plan".',
      '"Done! Designed 3 recipes" becomes "Assistant created recipes: [names]".',
      'Focus on what the user asked and what action was taken.',
      'Mention what was created or changed, by its name.',
      ...sentenceRules,
    ]),
    ...(folding === null ? [] : ['Rules for the history:', listed(foldingRules(folding))]),
  ].join('\n\n')
}

function foldingRules({ mostCharacters }: Folding): readonly string[] {
  return [
    `Tell all lines of the older history together, oldest first, in at most ${mostCharacters} characters.`,
    'Your text takes their place: what is not in it is forgotten. Leave no turn out; say less of each.',
    'Do not tell the turn of the summary in it.',
  ]
}

function source({ user, assistant, names, outcomes, folding }: CompressionAsked): string {
  return [
    `The turn:\n\n${dataBlock('user', user)}\n\n${dataBlock('assistant', assistant)}`,
    ...(names.length === 0 ? [] : [`Exact names in it:\n\n${lines('names', names)}`]),
    ...(outcomes.length === 0 ? [] : [`What was done:\n\n${lines('steps', outcomes)}`]),
    ...(folding === null ? [] : [`The older history:\n\n${lines('history', folding.lines)}`]),
    'Write the JSON object now.',
  ].join('\n\n')
}

function lines(label: string, items: readonly string[]): string {
  return dataBlock(label, items.join('\n'))
}
