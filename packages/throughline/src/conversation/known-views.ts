/**
 * The state of a conversation, with the view that this process has seen before where it
 * still is that one: a view may be large, and most requests do not change it.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { View } from '../domain/view.ts'
import type { ConversationState, TenantStore } from '../ports/store.ts'

export interface KnownViews {
  state(store: TenantStore, id: ConversationId, model: string): Promise<ConversationState | null>
}

interface Known {
  readonly version: number
  readonly serial: number
  readonly view: View | null
}

const viewsKept = 256

/** Of one store. */
export function createKnownViews(): KnownViews {
  const byStore = new WeakMap<TenantStore, Map<string, Known>>()
  return {
    async state(store, id, model) {
      const views = byStore.get(store) ?? new Map<string, Known>()
      byStore.set(store, views)
      const key = JSON.stringify([id, model])
      const known = views.get(key)
      const state = await stateOf(store, id, model, known)
      views.delete(key)
      if (state === null) return null
      const { conversation, serial, view } = state
      views.set(key, { version: conversation.version, serial, view })
      if (views.size > viewsKept) views.delete(views.keys().next().value ?? key)
      return state
    },
  }
}

async function stateOf(
  store: TenantStore,
  id: ConversationId,
  model: string,
  known: Known | undefined,
): Promise<ConversationState | null> {
  if (known === undefined) return store.state({ id, model })
  const state = await store.state({ id, model, seenVersion: known.version })
  if (state === null || !state.seen) return state
  // Purged and begun anew under the same id, a conversation has its versions again.
  const isSame = state.serial === known.serial
  return isSame ? { ...state, view: known.view } : store.state({ id, model })
}
