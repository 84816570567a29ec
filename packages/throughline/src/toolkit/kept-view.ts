import type { ConversationHandle } from '../conversation/handle.ts'
import { internalsOf } from '../conversation/runtime.ts'
import { loadVersionedView } from '../derived/receipts.ts'
import type { View } from '../domain/view.ts'

/** A kept version of a view, whole. */
export interface KeptView {
  readonly model: string
  /** Null where everything was shown. */
  readonly view: View | null
}

/**
 * The view of a version that `chat.history.versions` lists: its line, keeps, stubs and history block. Null if
 * the version is no longer kept.
 *
 * @example
 * const [newest] = await chat.history.versions()
 * const kept = newest && (await keptView(chat, newest.version))
 * console.log(kept?.view?.line, kept?.view?.history?.summary)
 */
export async function keptView(
  chat: ConversationHandle,
  version: number,
): Promise<KeptView | null> {
  const { store, id } = await internalsOf(chat, 'keptView')
  return loadVersionedView(store, { id, version })
}
