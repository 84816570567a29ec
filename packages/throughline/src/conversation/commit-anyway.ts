/**
 * A commit that does not depend on what others derive: where the version has moved, it is made to
 * the next one, with what the store has by then. Whether messages have changed is for those to
 * look at who say what is committed.
 */
import { defaults } from '../defaults.ts'
import type { ConversationChanges } from '../ports/commit-commands.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'

export interface CommitAnyway {
  readonly store: TenantStore
  /** As it was when the work began. */
  readonly first: ConversationState
  readonly model: string
  readonly now: () => number
  changesOf(state: ConversationState, at: number): Promise<ConversationChanges>
}

/** The state that it was made to; null where the conversation is gone, or changed all the time. */
export async function commitAnyway(commit: CommitAnyway): Promise<ConversationState | null> {
  const { store, first, model } = commit
  const { id } = first.conversation
  let state = first
  for (let attempt = 0; attempt < defaults.commitAttempts.value; attempt += 1) {
    const at = commit.now()
    const changes = await commit.changesOf(state, at)
    const { version } = state.conversation
    const outcome = await store.commit({ id, expectedVersion: version, changes, at })
    if (outcome.kind === 'committed') return state
    if (outcome.kind === 'not-found') return null
    const next = await store.state({ id, model })
    // Purged and begun anew, it is another one.
    if (next === null || next.serial !== first.serial) return null
    state = next
  }
  return null
}
