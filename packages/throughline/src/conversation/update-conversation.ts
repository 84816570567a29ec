/** The title, meta and compaction of a conversation, as a caller says them. */
import type { Conversation } from '../domain/conversation.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { titleOf } from '../extract/title.ts'
import { checkChanges } from '../flow/check/check-conversation.ts'
import type { ConversationChanges } from '../ports/commit-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import { changeAfterLook, type NotFound } from './change-conversation.ts'
import { controlChanges } from './compaction.ts'
import type { ConversationUpdate } from './handle.ts'

export async function updateConversation(
  store: TenantStore,
  id: ConversationId,
  changes: ConversationUpdate,
  at: number,
): Promise<Result<Conversation, NotFound>> {
  const { compaction, titleFrom, ...named } = checkChanges(changes)
  const control = compaction === undefined ? {} : { mode: compaction }
  const look = async (conversation: Conversation) => {
    const titled = titleFrom === undefined ? {} : await titleAt(store, id, titleFrom)
    if (titled === null) return fail({ kind: 'not-found' } as const)
    return ok({ changes: { ...named, ...titled, ...controlChanges(conversation, control) } })
  }
  const changed = await changeAfterLook(store, id, look, at)
  return changed.ok ? ok(changed.value.conversation) : changed
}

/** Whoever changes the message meanwhile moves the version, and it is read again. */
async function titleAt(
  store: TenantStore,
  id: ConversationId,
  seq: Seq,
): Promise<Pick<ConversationChanges, 'title' | 'titleFrom'> | null> {
  const [message] = (await store.read({ id, span: { from: seq, to: seq + 1 } })) ?? []
  if (message === undefined) return null
  const title = titleOf({ ...message, content: message.parts })
  return { title, titleFrom: title === null ? null : seq }
}
