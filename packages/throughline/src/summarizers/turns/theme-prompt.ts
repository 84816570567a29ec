/** What a model is asked for the theme of a conversation, from the theme so far and the latest exchange. */
import { dataBlock } from '../../domain/data-block.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import { listed } from '../prompt-blocks.ts'
import { sentenceRules, sentenceSchema, sentenceTokens } from './sentence-rules.ts'

export interface ThemeAsked {
  /** Null where there is none yet. */
  readonly theme: string | null
  readonly user: string
  readonly assistant: string
}

export function themePrompt({ theme, user, assistant }: ThemeAsked): ModelRequest {
  return {
    system: instructions,
    messages: [
      {
        role: 'user',
        content: [
          theme === null
            ? 'There is no theme yet.'
            : `The theme so far:\n\n${dataBlock('theme', theme)}`,
          `The latest exchange:\n\n${dataBlock('user', user)}\n\n${dataBlock('assistant', assistant)}`,
          'Write the JSON object now.',
        ].join('\n\n'),
      },
    ],
    maxOutputTokens: sentenceTokens,
    temperature: 0,
    schema: sentenceSchema,
  }
}

const instructions = [
  'Say in one sentence what a conversation is about. The sentence stands at the top of everything that an assistant reads from now on.',
  'Output a JSON object ONLY: { "summary": string }',
  'Rules:',
  listed([
    'Focus on the ongoing theme, not on individual actions: "Planning rice bowl meal prep", not "Just saved a recipe".',
    'Keep the theme so far where the latest exchange belongs to it, and bring it up to date where it does not.',
    ...sentenceRules,
  ]),
].join('\n\n')
