/** Pins: messages that are always shown, word for word. */
import type { ConversationId, Seq } from '../domain/ids.ts'
import { isRemoved } from '../domain/removed-message.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import type { TenantStore } from '../ports/store.ts'
import { changeConversation, type NotFound } from './change-conversation.ts'

export type PinFailure = NotFound

export async function changePins(
  store: TenantStore,
  id: ConversationId,
  seq: Seq,
  change: { readonly pinned: boolean; readonly at: number },
): Promise<Result<readonly Seq[], PinFailure>> {
  if (change.pinned && (await isGone(store, id, seq))) return fail({ kind: 'not-found' })
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

/** What was removed has nothing to show. */
async function isGone(store: TenantStore, id: ConversationId, seq: Seq): Promise<boolean> {
  const [message] = (await store.read({ id, span: { from: seq, to: seq + 1 } })) ?? []
  return message !== undefined && isRemoved(message)
}
