/** A conversation without messages, as it is created. */
import { type Conversation, chainStart, noControl } from '../../domain/conversation.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { CreateCommand } from '../../ports/store.ts'

export function emptyConversation(
  tenant: TenantId,
  { id, title, meta, parent, at }: Omit<CreateCommand, 'forkedFrom'>,
): Conversation {
  return {
    id,
    tenant,
    title,
    titleFrom: null,
    meta,
    head: 0,
    chain: chainStart,
    version: 0,
    rewrites: 0,
    pins: [],
    pinnedTo: 0,
    compaction: noControl,
    parent,
    forkedFrom: null,
    createdAt: at,
  }
}
