/**
 * A change of a conversation, committed under the version that it was made from. Whoever
 * moved the version meanwhile changed something else, so we look again and go on.
 */
import type { Conversation } from '../domain/conversation.ts'
import type { ConversationId } from '../domain/ids.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { ThroughlineError } from '../errors.ts'
import type { ConversationChanges } from '../ports/commit-commands.ts'
import type { TenantStore } from '../ports/store.ts'

/** There is no such conversation, or nothing there of what was named. */
export type NotFound = { readonly kind: 'not-found' }

// Each is cheap, so that there may be more of them than of those that make a context.
const attemptsMax = 100

/** Without changes there is no commit; null where what is to be changed is not there. */
export async function changeConversation(
  store: TenantStore,
  id: ConversationId,
  changesOf: (conversation: Conversation) => ConversationChanges | null,
  at: number,
): Promise<Result<Conversation, NotFound>> {
  const looked = async (conversation: Conversation) => {
    const changes = changesOf(conversation)
    return changes === null ? fail({ kind: 'not-found' } as const) : ok({ changes })
  }
  const changed = await changeAfterLook(store, id, looked, at)
  return changed.ok ? ok(changed.value.conversation) : changed
}

/** What is to be changed, with whatever else was seen. */
interface Looked {
  readonly changes: ConversationChanges
}

/**
 * What is changed depends on more than the conversation itself. All of it moves with the
 * version, so whoever looks behind the conversation and commits to its version has seen it whole.
 */
export async function changeAfterLook<
  Seen extends Looked,
  Failure extends { readonly kind: string },
>(
  store: TenantStore,
  id: ConversationId,
  look: (conversation: Conversation) => Promise<Result<Seen, Failure>>,
  at: number,
): Promise<Result<Seen & { readonly conversation: Conversation }, Failure | NotFound>> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const conversation = await store.conversation(id)
    if (conversation === null) return fail({ kind: 'not-found' })
    const looked = await look(conversation)
    if (!looked.ok) return looked
    const { changes } = looked.value
    if (Object.keys(changes).length === 0) return ok({ ...looked.value, conversation })
    const expectedVersion = conversation.version
    const outcome = await store.commit({ id, expectedVersion, changes, at })
    if (outcome.kind === 'committed')
      return ok({ ...looked.value, conversation: outcome.conversation })
    if (outcome.kind === 'not-found') return fail(outcome)
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" is changed by others all the time`)
}
