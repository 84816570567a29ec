/** When a conversation was talked in last: the time of its newest message, or of its beginning. */
import type { Conversation } from '../domain/conversation.ts'
import type { TenantStore } from '../ports/store.ts'

export async function lastActivity(
  store: TenantStore,
  { id, head, createdAt }: Conversation,
): Promise<number> {
  if (head === 0) return createdAt
  const [last] = (await store.readBack({ id, before: head, limit: 1 })) ?? []
  return last?.createdAt ?? createdAt
}
