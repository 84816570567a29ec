/**
 * A change of a conversation, committed under the version that it was made from. Whoever
 * moved the version meanwhile changed something else, so we look again and go on.
 */
import type { Conversation } from '../domain/conversation.ts'
import type { ConversationId } from '../domain/ids.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { ThroughlineError } from '../errors.ts'
import type { ConversationChanges, TenantStore } from '../ports/store.ts'

export type NotFound = { readonly kind: 'not-found' }

// Each failed attempt is a commit that somebody else made: so many in a row is no accident.
const attemptsMax = 100

/** Without changes there is no commit; null where what is to be changed is not there. */
export async function changeConversation(
  store: TenantStore,
  id: ConversationId,
  changesOf: (conversation: Conversation) => ConversationChanges | null,
  at: number,
): Promise<Result<Conversation, NotFound>> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const conversation = await store.conversation(id)
    const changes = conversation && changesOf(conversation)
    if (conversation === null || changes === null) return fail({ kind: 'not-found' })
    if (Object.keys(changes).length === 0) return ok(conversation)
    const expectedVersion = conversation.version
    const outcome = await store.commit({ id, expectedVersion, changes, at })
    if (outcome.kind === 'committed') return ok(outcome.conversation)
    if (outcome.kind === 'not-found') return fail(outcome)
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" is changed by others all the time`)
}
