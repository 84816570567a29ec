/** What all messages of a conversation would have for a model: the measure of a first compaction, which has no request before it. */
import type { Conversation } from '../domain/conversation.ts'
import type { Meter } from '../flow/measure/measure.ts'
import type { TenantStore } from '../ports/store.ts'
import { messagesIn } from './messages-in.ts'

export async function wholeLogTokens(
  store: TenantStore,
  conversation: Conversation,
  meter: Meter,
): Promise<number> {
  let tokens = 0
  const all = { from: 0, to: conversation.head }
  for await (const message of messagesIn(store, conversation, all)) tokens += meter.message(message)
  return tokens
}
