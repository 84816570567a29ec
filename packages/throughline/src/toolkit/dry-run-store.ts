import { loadConversation } from '../derived/state.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import { TermIndex } from '../extract/term-index.ts'
import { indexedPieces } from '../flow/recall/message-pieces.ts'
import type { RowQuery, Store, TenantStore } from '../ports/store.ts'
import { storedMessages } from './stored-messages.ts'

/**
 * A view of a store for dry runs: commits are answered as if they were kept, and are not, so the next
 * context of a conversation can be seen without being sent. The search index is still written, because
 * nothing could be recalled without it; where the store is not `writable`, it is kept in memory.
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
    // A dry run has no follow-up: no receipt waits for it.
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

/** Where the index of a read-only store ends too early, all messages are indexed in memory. */
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
