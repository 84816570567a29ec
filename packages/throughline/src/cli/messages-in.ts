/** The messages of a span of a conversation, in order, a page at a time. */
import type { Conversation } from '../domain/conversation.ts'
import type { Message } from '../domain/message.ts'
import type { Span } from '../domain/span.ts'
import type { TenantStore } from '../ports/store.ts'

export async function* messagesIn(
  store: TenantStore,
  { id, head }: Pick<Conversation, 'id' | 'head'>,
  { from, to }: Span,
): AsyncGenerator<Message> {
  const end = Math.min(to, head)
  for (let next = from; next < end; next += pageSize)
    yield* (await store.read({ id, span: { from: next, to: Math.min(end, next + pageSize) } })) ??
      []
}

// Messages may be large, and a page of them is held at once.
const pageSize = 50
