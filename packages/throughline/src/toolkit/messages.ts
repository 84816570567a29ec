/** Parses, redacts and reads messages as the engine does, for programs without an engine, which load faster. */
import type { Conversation } from '../domain/conversation.ts'
import type { Message, MessageInput, Part } from '../domain/message.ts'
import type { Span } from '../domain/span.ts'
import { redactSecrets } from '../extract/redact-secrets.ts'
import { sealMessages } from '../flow/append/append.ts'
import { redactLogMessage, redactStrings } from '../flow/redact/redact-message.ts'
import type { TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'

/**
 * Parses messages as a log would store them, without a log: checked, with complete parts.
 *
 * @example
 * const [message] = parseMessages([{ role: 'user', content: 'And the invoice?' }])
 * console.log(message?.parts)
 */
export function parseMessages(messages: readonly MessageInput[]): readonly Message[] {
  return sealMessages(messages, sha256)
}

/**
 * The parts of a message without its secrets. The result for a stored message is cached. Of a giant
 * message only the start and the end are read, as in recall and summaries.
 *
 * @example
 * for await (const message of chat.messages()) console.log(redactMessage(message))
 */
export function redactMessage(message: Message | Pick<Message, 'role' | 'parts'>): readonly Part[] {
  if ('hashes' in message) return redactLogMessage(message).message.parts
  return redactStrings({ seq: 0, ...message }, (text) => redactSecrets(text).text).parts
}

/**
 * The messages of a conversation, or of a span of it, in order, read a page at a time from its store.
 *
 * @example
 * const rows = store.tenant(tenantId('default'))
 * const conversation = await loadConversation(rows, conversationId('invoice-7'))
 * if (conversation) for await (const { seq } of storedMessages(rows, conversation)) console.log(seq)
 */
export async function* storedMessages(
  store: TenantStore,
  { id, head }: Pick<Conversation, 'id' | 'head'>,
  { from, to }: Span = { from: 0, to: head },
): AsyncGenerator<Message> {
  const end = Math.min(to, head)
  for (let next = from; next < end; next += pageMessages)
    yield* (await store.read({
      id,
      span: { from: next, to: Math.min(end, next + pageMessages) },
    })) ?? []
}

// A page is in memory at once, and messages may be large.
const pageMessages = 50
