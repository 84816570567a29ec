/** Reads messages from a store without an engine, which loads faster. */
import type { Conversation } from '../domain/conversation.ts'
import type { Message } from '../domain/message.ts'
import type { Span } from '../domain/span.ts'
import type { TenantStore } from '../ports/store.ts'

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
