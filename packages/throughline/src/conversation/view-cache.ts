/** Loads the state of a conversation, with a cached view if it is current: views may be large. */
import { type ConversationState, loadState } from '../derived/state.ts'
import type { View } from '../domain/view.ts'
import type { StoredConversation, TenantStore } from '../ports/store.ts'
import { freezeAndMeasure, RecentMap } from './message-cache.ts'

export interface ViewCache {
  state(chat: StoredConversation, model: string): Promise<ConversationState | null>
  /** Caches the view of a commit of this process. */
  committed(chat: StoredConversation, model: string, known: Known): void
}

interface Known {
  readonly version: number
  readonly serial: number
  readonly view: View | null
}

const viewsKept = 256

export function createViewCache(): ViewCache {
  const byStore = new WeakMap<TenantStore, RecentMap<string, Known>>()
  const viewsOf = (store: TenantStore) => {
    const views = byStore.get(store) ?? new RecentMap<string, Known>(viewsKept)
    byStore.set(store, views)
    return views
  }
  return {
    async state(chat, model) {
      const views = viewsOf(chat.store)
      const key = keyOf(chat, model)
      const state = await stateOf(chat, model, views.get(key))
      if (state === null) views.delete(key)
      else {
        const { conversation, serial, view } = state
        views.set(key, { version: conversation.version, serial, view })
      }
      return state
    },
    committed(chat, model, known) {
      // Requests share it from now on.
      if (known.view !== null) freezeAndMeasure(known.view)
      viewsOf(chat.store).set(keyOf(chat, model), known)
    },
  }
}

function keyOf({ id }: StoredConversation, model: string): string {
  return JSON.stringify([id, model])
}

async function stateOf(
  { store, id }: StoredConversation,
  model: string,
  known: Known | undefined,
): Promise<ConversationState | null> {
  if (known === undefined) return loadState(store, { id, model })
  const state = await loadState(store, { id, model, seenVersion: known.version })
  if (state === null || !state.seen) return state
  // Purged and created again under the same id, a conversation counts its versions from the start.
  const isSame = state.serial === known.serial
  return isSame ? { ...state, view: known.view } : loadState(store, { id, model })
}
