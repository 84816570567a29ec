/**
 * The state of a conversation, with its view from the cache where that is current: a view may be large,
 * and most requests do not change it.
 */
import { type ConversationState, loadState } from '../derived/state.ts'
import type { View } from '../domain/view.ts'
import type { StoredConversation, TenantStore } from '../ports/store.ts'
import { freezeAndMeasure, RecentMap } from './message-cache.ts'

export interface ViewCache {
  state(chat: StoredConversation, model: string): Promise<ConversationState | null>
  /** This process need not read its own commit. */
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
      // It was shown, and will be shown again.
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
  // Purged and begun again under the same id, a conversation has the same versions again.
  const isSame = state.serial === known.serial
  return isSame ? { ...state, view: known.view } : loadState(store, { id, model })
}
