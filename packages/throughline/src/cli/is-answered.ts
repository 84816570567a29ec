/**
 * Whether anybody has answered in a conversation. A chat whose model could not be reached leaves what
 * was said, and a request for it; nobody means that one by the last that was talked in.
 */
import type { Conversation } from '../domain/conversation.ts'
import type { TenantStore } from '../ports/store.ts'

export async function isAnswered(store: TenantStore, { id, head }: Conversation): Promise<boolean> {
  // Whoever has said so much was heard; and a log may be long.
  if (head > fewMessages) return true
  const messages = (await store.read({ id, span: { from: 0, to: head } })) ?? []
  if (messages.some(({ role }) => role !== 'user')) return true
  // What was imported may be the words of people alone: no model was asked there.
  const requests = (await store.requests({ id, limit: 1 })) ?? []
  return requests.length === 0
}

const fewMessages = 20
