/**
 * A first compaction has no request before it that it could be held against: what it saves is told of
 * all messages that were there, counted for its model.
 */

import type { Conversation } from '../domain/conversation.ts'
import type { Compacted } from '../domain/receipt.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Throughline } from '../throughline.ts'
import { messagesIn } from './messages-in.ts'

export async function besideWholeLog<Told extends Compacted>(
  told: Told,
  { id }: Conversation,
  { store, engine }: { readonly store: TenantStore; readonly engine: Throughline },
): Promise<Told> {
  const { tokensBefore, model, head } = told
  if (tokensBefore !== null) return told
  const meter = await engine.meter(model)
  let tokens = 0
  for await (const message of messagesIn(store, { id, head }, { from: 0, to: head }))
    tokens += meter.message(message)
  return { ...told, tokensBefore: tokens }
}
