/**
 * A store that only looks: what an engine commits to it is answered as if it were kept, and is not.
 * So the next context of a conversation can be seen without being sent. What is searched is indexed
 * all the same, since nothing could be recalled without it, and it changes nothing that is shown;
 * where the store cannot be written, in memory.
 */
import type { Store, TenantStore } from '../ports/store.ts'
import { searchInMemory } from './search-in-memory.ts'

export function lookingStore(
  store: Store,
  { isWritable = true }: { readonly isWritable?: boolean } = {},
): Store {
  return {
    tenant: (id) => lookingTenant(store.tenant(id), isWritable),
    close: () => store.close(),
  }
}

function lookingTenant(store: TenantStore, isWritable: boolean): TenantStore {
  return {
    ...store,
    ...(!isWritable && searchInMemory(store)),
    commit: async ({ id }) => {
      const conversation = await store.conversation(id)
      return conversation === null ? { kind: 'not-found' } : { kind: 'committed', conversation }
    },
    record: async () => ({ kind: 'recorded' }),
    // Nobody looks back at what was not sent.
    waiting: async () => null,
  }
}
