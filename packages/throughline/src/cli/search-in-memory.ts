/**
 * Searching in a store that cannot be written. Where its index does not reach far enough, all messages
 * are indexed in memory, for as long as the command runs.
 */
import type { ConversationId, Seq } from '../domain/ids.ts'
import { TermIndex } from '../extract/term-index.ts'
import { indexedPieces } from '../flow/recall/message-pieces.ts'
import type { TenantStore } from '../ports/store.ts'
import { messagesIn } from './messages-in.ts'

export function searchInMemory(store: TenantStore): Pick<TenantStore, 'find' | 'index'> {
  const indexes = new Map<ConversationId, { readonly index: TermIndex; readonly end: Seq }>()
  const indexOf = async (id: ConversationId) => {
    const index = new TermIndex()
    const conversation = await store.conversation(id)
    const end = conversation?.head ?? 0
    if (conversation !== null)
      for await (const message of messagesIn(store, conversation, { from: 0, to: end }))
        index.add(indexedPieces(message))
    return { index, end }
  }
  return {
    find: async (query) => {
      const found = await store.find(query)
      if (found === null || found.indexedTo >= query.before) return found
      const known = indexes.get(query.id) ?? (await indexOf(query.id))
      indexes.set(query.id, known)
      return { ...known.index.find(query), indexedTo: known.end }
    },
    index: async ({ from }) => ({ kind: 'moved', indexedTo: from }),
  }
}
