import { loadConversation } from '../derived/state.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import { TermIndex } from '../extract/term-index.ts'
import { indexedPieces } from '../flow/recall/message-pieces.ts'
import type { RowQuery, Store, TenantStore } from '../ports/store.ts'
import { storedMessages } from './messages.ts'

/**
 * Wraps a store for dry runs: commits succeed without being stored, so you can see the next context
 * of a conversation without sending it. Only the search index is written, because recall needs it;
 * if the store is not `writable`, the index is in memory.
 *
 * @example
 * const dryRun = createThroughline({ store: dryRunStore(sqlite('chat.db')) })
 * const context = await dryRun.conversation('invoice-7').context({ model: 'openai/gpt-5-mini' })
 */
export function dryRunStore(
  store: Store,
  { writable = true }: { readonly writable?: boolean } = {},
): Store {
  return {
    tenant: (id) => dryRunTenant(store.tenant(id), writable),
    close: () => store.close(),
  }
}

function dryRunTenant(store: TenantStore, writable: boolean): TenantStore {
  return {
    ...store,
    ...(!writable && searchInMemory(store)),
    commit: async ({ id }) => {
      const conversation = await loadConversation(store, id)
      return conversation === null ? { kind: 'not-found' } : { kind: 'committed', conversation }
    },
    record: async () => ({ kind: 'recorded' }),
    // A dry run makes no follow-up, so no receipt waits for one.
    load: async (query) => {
      const loaded = await store.load(query)
      const isWaiting = ({ kind, boundTo }: RowQuery) => kind === 'receipt' && boundTo !== undefined
      const rows = loaded?.rows.map((each, index) =>
        query.rows?.slice(index, index + 1).some(isWaiting) ? [] : each,
      )
      return loaded && { ...loaded, rows: rows ?? [] }
    },
  }
}

/** If the index of a read-only store is incomplete, all messages are indexed in memory. */
function searchInMemory(store: TenantStore): Pick<TenantStore, 'search' | 'index'> {
  const indexes = new Map<ConversationId, { readonly index: TermIndex; readonly end: Seq }>()
  const indexOf = async (id: ConversationId) => {
    const index = new TermIndex()
    const conversation = await loadConversation(store, id)
    const end = conversation?.head ?? 0
    if (conversation !== null)
      for await (const message of storedMessages(store, conversation))
        index.add(indexedPieces(message))
    return { index, end }
  }
  return {
    search: async (query) => {
      const found = await store.search(query)
      if (found === null || found.indexedTo >= query.before) return found
      const known = indexes.get(query.id) ?? (await indexOf(query.id))
      indexes.set(query.id, known)
      return { ...known.index.find(query), indexedTo: known.end }
    },
    index: async ({ from }) => ({ kind: 'moved', indexedTo: from }),
  }
}
