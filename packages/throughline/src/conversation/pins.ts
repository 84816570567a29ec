/** Pins: messages that are always shown, word for word. */
import type { ConversationId, Seq } from '../domain/ids.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { ThroughlineError } from '../errors.ts'
import type { TenantStore } from '../ports/store.ts'

export type PinFailure = { readonly kind: 'not-found' }

// Each failed attempt is a commit that somebody else made: so many in a row is no accident.
const attemptsMax = 100

export async function changePins(
  store: TenantStore,
  id: ConversationId,
  seq: Seq,
  change: { readonly pinned: boolean; readonly at: number },
): Promise<Result<readonly Seq[], PinFailure>> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const conversation = await store.conversation(id)
    if (conversation === null || seq >= conversation.head) return fail({ kind: 'not-found' })
    const { pins: before, version } = conversation
    if (before.includes(seq) === change.pinned) return ok(before)
    const pins = change.pinned
      ? [...before, seq].sort((left, right) => left - right)
      : before.filter((pin) => pin !== seq)
    const outcome = await store.commit({
      id,
      expectedVersion: version,
      changes: { pins },
      at: change.at,
    })
    if (outcome.kind === 'committed') return ok(outcome.conversation.pins)
    if (outcome.kind === 'not-found') return fail(outcome)
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" is changed by others all the time`)
}
