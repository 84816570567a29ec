/** The prompt for a digest of work with tools. Change the version with the words. */

import { fail, ok, type Result } from '../../domain/result.ts'
import { listed } from '../prompt-blocks.ts'
import { houseRules } from '../prompt-words-data.ts'

export const digestVersion = 2

export const defaultPrompt: readonly PromptPiece[] = [
  {
    kind: 'words',
    text: [
      'Summarize the following conversation context concisely. Focus on:',
      '1. What files were read/modified',
      '2. What operations succeeded or failed',
      '3. Key decisions or findings',
      '4. Current state of the task',
      '',
      'Keep the summary under ',
    ].join('\n'),
  },
  { kind: 'max-tokens' },
  {
    kind: 'words',
    text: ` tokens. Be factual and brief.\n\n${listed(houseRules)}\n- Where there is a previous summary, the new one replaces it: what is not in it is forgotten.\n\n`,
  },
  { kind: 'context' },
  { kind: 'words', text: '\n\nWrite the summary now, as plain text.' },
]

/**
 * The user's prompt with `{context}` and `{maxTokens}`, split once: inserted text is not searched
 * for placeholders.
 */
export type PromptPiece =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'context' }
  | { readonly kind: 'max-tokens' }

const mostCharacters = 20_000

export function readPrompt(
  text: unknown,
): Result<readonly PromptPiece[], { readonly kind: string; readonly message: string }> {
  if (typeof text !== 'string') return invalid('must be a string')
  if (text.length > mostCharacters) return invalid(`must have at most ${mostCharacters} characters`)
  if (!text.isWellFormed()) return invalid('must be well-formed Unicode')
  const pieces = text.split(placeholder).map(pieceOf)
  const contexts = pieces.filter(({ kind }) => kind === 'context').length
  if (contexts !== 1)
    return invalid(
      `must contain {context} exactly once, where the conversation goes; found it ${contexts} times`,
    )
  if (!pieces.some((piece) => piece.kind === 'words' && piece.text.trim() !== ''))
    return invalid('must say what to do with {context}')
  return ok(pieces)
}

const placeholder = /(\{context\}|\{maxTokens\})/

function pieceOf(text: string): PromptPiece {
  if (text === '{context}') return { kind: 'context' }
  return text === '{maxTokens}' ? { kind: 'max-tokens' } : { kind: 'words', text }
}

function invalid(message: string) {
  return fail({ kind: 'prompt-invalid', message })
}
