/** Which conversations are being indexed behind requests: each once at a time. */
import type { ConversationId } from '../domain/ids.ts'
import type { TenantStore } from '../ports/store.ts'

export interface Indexing {
  /** False where it is under way already. */
  begins(store: TenantStore, id: ConversationId): boolean
  ended(store: TenantStore, id: ConversationId): void
}

export function createIndexing(): Indexing {
  const busy = new WeakMap<TenantStore, Set<ConversationId>>()
  return {
    begins(store, id) {
      const ids = busy.get(store) ?? new Set()
      busy.set(store, ids)
      if (ids.has(id)) return false
      ids.add(id)
      return true
    },
    ended: (store, id) => {
      busy.get(store)?.delete(id)
    },
  }
}
