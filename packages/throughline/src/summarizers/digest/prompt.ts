/** The prompt for a digest of work with tools: ours, or the user's own. */
import { fail, ok, type Result } from '../../domain/result.ts'
import { defaultPrompt } from './prompt-words-data.ts'

/** A prompt with placeholders, split once: inserted text is not searched for more. */
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
  const pieces = piecesOf(text)
  const contexts = pieces.filter(({ kind }) => kind === 'context').length
  if (contexts !== 1)
    return invalid(
      `must contain {context} exactly once, where the conversation goes; found it ${contexts} times`,
    )
  if (!pieces.some((piece) => piece.kind === 'words' && piece.text.trim() !== ''))
    return invalid('must say what to do with {context}')
  return ok(pieces)
}

function piecesOf(text: string): readonly PromptPiece[] {
  return text.split(/(\{context\}|\{maxTokens\})/).map(pieceOf)
}

export const defaultPieces = piecesOf(defaultPrompt)

function pieceOf(text: string): PromptPiece {
  if (text === '{context}') return { kind: 'context' }
  return text === '{maxTokens}' ? { kind: 'max-tokens' } : { kind: 'words', text }
}

function invalid(message: string) {
  return fail({ kind: 'prompt-invalid', message })
}
