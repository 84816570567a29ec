/** Branded ids. The id of a message is its conversation and its place, so it needs no index. */
import { ThroughlineError } from '../errors.ts'
import { describe } from './text.ts'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** The id of a tenant, checked. */
export type TenantId = Branded<'TenantId'>
/** The id of a conversation, checked. */
export type ConversationId = Branded<'ConversationId'>
/** The id of a message: its conversation and its place there. */
export type MessageId = Branded<'MessageId'>

/** The place of a message in its conversation: 0, 1, 2, … without a gap. */
export type Seq = number

const idLengthMax = 512

/** The id of a tenant, checked. See `conversationId`. */
export function tenantId(value: unknown): TenantId {
  return checkedId(value, 'tenant id') as TenantId
}

/**
 * The id of a conversation, checked, as a store takes it. Throws `ID_INVALID` for anything else.
 *
 * @example
 * const rows = store.tenant(tenantId('default'))
 * const conversation = await loadConversation(rows, conversationId('invoice-7'))
 */
export function conversationId(value: unknown): ConversationId {
  return checkedId(value, 'conversation id') as ConversationId
}

/**
 * The id of a message, `invoice-thread-7#12` for the thirteenth of that conversation.
 *
 * @example
 * const rows = sealed.map(({ body, origins }, seq) => ({ id: messageId(conversation, seq), ...decodeBody(body, origins) }))
 */
export function messageId(conversation: ConversationId, seq: Seq): MessageId {
  return `${conversation}#${seq}` as MessageId
}

function checkedId(value: unknown, what: string): string {
  if (typeof value !== 'string') throw invalidId(what, `must be a string, got ${describe(value)}`)
  if (value.length === 0) throw invalidId(what, 'must not be empty')
  if (value.length > idLengthMax)
    throw invalidId(what, `must have at most ${idLengthMax} characters, got ${value.length}`)
  // Stores write ids as text, and text with NUL or half a surrogate pair comes back changed.
  if (/\p{Cc}/u.test(value)) throw invalidId(what, 'must not contain control characters')
  if (!value.isWellFormed()) throw invalidId(what, 'must be well-formed Unicode')
  return value
}

function invalidId(what: string, why: string): ThroughlineError {
  return new ThroughlineError('ID_INVALID', `${what} ${why}`)
}
