/** A message of the AI SDK on its way: which message it comes from, and its parts. */
import type { Role } from '../../domain/message.ts'
import type { Fields } from '../unknown-json.ts'

export interface Draft {
  /** Index of the message of the context. */
  readonly source: number
  readonly role: Role
  /** Fields beside the role and the content. */
  readonly fields: Fields
  /** Whether its content was read as a list, though it is one text. */
  readonly listed: boolean
  /** Whether it stood behind another of the assistant's already. */
  readonly apart: boolean
  readonly content: readonly Fields[]
}

/**
 * Whether a provider would get nothing of it. The SDK takes out empty text (an
 * assistant's with options stays, for what they carry) and requests for approval, and
 * then sends what is left, be it nothing.
 */
export function saysNothing({
  role,
  fields,
  content,
}: Pick<Draft, 'role' | 'fields' | 'content'>): boolean {
  switch (role) {
    case 'system':
      return content.every((part) => part['text'] === '') && fields['providerOptions'] === undefined
    case 'user':
      return content.every(({ type, text }) => type === 'text' && text === '')
    case 'assistant':
      return content.every(
        ({ type, text, providerOptions }) =>
          type === 'tool-approval-request' ||
          (type === 'text' && text === '' && providerOptions === undefined),
      )
    case 'tool':
      return content.length === 0
  }
}
