/**
 * A store that only looks: what an engine commits to it is answered as if it were kept, and is not.
 * So the next context of a conversation can be seen without being sent. What is searched is indexed
 * all the same, since nothing could be recalled without it, and it changes nothing that is shown.
 */
import type { Store, TenantStore } from '../ports/store.ts'

export function lookingStore(store: Store): Store {
  return { tenant: (id) => lookingTenant(store.tenant(id)), close: () => store.close() }
}

function lookingTenant(store: TenantStore): TenantStore {
  return {
    ...store,
    commit: async ({ id }) => {
      const conversation = await store.conversation(id)
      return conversation === null ? { kind: 'not-found' } : { kind: 'committed', conversation }
    },
    record: async () => ({ kind: 'recorded' }),
    // Nobody looks back at what was not sent.
    waiting: async () => null,
  }
}
