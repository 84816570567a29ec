/** Pins: messages that are always shown, word for word. */
import type { ConversationId, Seq } from '../domain/ids.ts'
import { ok, type Result } from '../domain/result.ts'
import type { TenantStore } from '../ports/store.ts'
import { changeConversation, type NotFound } from './change-conversation.ts'

export type PinFailure = NotFound

export async function changePins(
  store: TenantStore,
  id: ConversationId,
  seq: Seq,
  change: { readonly pinned: boolean; readonly at: number },
): Promise<Result<readonly Seq[], PinFailure>> {
  const changed = await changeConversation(
    store,
    id,
    ({ head, pins }) => {
      if (seq >= head) return null
      if (pins.includes(seq) === change.pinned) return {}
      const others = pins.filter((pin) => pin !== seq)
      return {
        pins: change.pinned ? [...others, seq].sort((left, right) => left - right) : others,
      }
    },
    change.at,
  )
  return changed.ok ? ok(changed.value.pins) : changed
}
