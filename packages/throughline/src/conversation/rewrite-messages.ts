/**
 * Edits, removes and purges messages: the only changes of a log except appending. Derived rows
 * change in the same commit, and running work on the old text ends.
 */
import type { Conversation } from '../domain/conversation.ts'
import type { Seq } from '../domain/ids.ts'
import type { MessageInput, Role } from '../domain/message.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import type { Span } from '../domain/span.ts'
import { ThroughlineError } from '../errors.ts'
import { sealMessage, unstoredMessage } from '../flow/append/seal-message.ts'
import { indexedPieces } from '../flow/recall/message-pieces.ts'
import type { PurgeOutcome, RewriteCommand, RewriteOutcome } from '../ports/rewrite.ts'
import { sha256 } from '../system.ts'
import { messageAt } from './change-conversation.ts'
import type { Internals } from './runtime.ts'

/** Why a message was not edited: it does not exist, was removed, or has another role. */
export type EditFailure =
  | { readonly kind: 'not-found' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'other-role'; readonly role: Role }

export async function editMessage(
  chat: Internals,
  { seq, message }: { readonly seq: Seq; readonly message: MessageInput },
): Promise<Result<Conversation, EditFailure>> {
  const { id, runtime } = chat
  const old = await messageAt(chat, seq)
  const { messageBytesMax } = runtime.settings
  // The time and the origin stay, unless others are given.
  const now = old?.createdAt ?? runtime.now()
  const kept = { now, oldOrigin: old?.origin }
  const sealing = sealMessage(message, 'message', { sha256, messageBytesMax, ...kept })
  const { sealed } = sealing
  if (old === undefined) return fail({ kind: 'not-found' })
  if (sealed.key !== null && sealed.key.value !== old.key)
    throw new ThroughlineError('MESSAGE_INVALID', 'message.key: an edited message keeps its key')
  const pieces = indexedPieces(unstoredMessage(sealing, id, seq))
  const command = { id, how: 'edit', seq, message: sealed, pieces, at: runtime.now() } as const
  const outcome = await rewrite(chat, command)
  if (outcome.kind === 'rewritten') return ok(outcome.conversation)
  if (outcome.kind === 'has-forks' || outcome.kind === 'already-purged') throw unexpected(outcome)
  return fail(outcome)
}

export async function removeMessages(
  chat: Internals,
  span: Span,
): Promise<Result<Conversation, { readonly kind: 'not-found' }>> {
  const { id, runtime } = chat
  const outcome = await rewrite(chat, { id, how: 'remove', span, at: runtime.now() })
  if (outcome.kind === 'rewritten') return ok(outcome.conversation)
  if (outcome.kind === 'not-found') return fail(outcome)
  throw unexpected(outcome)
}

/** `conversations` of the outcome are all that had the message. */
export async function purgeMessage(
  chat: Internals,
  { seq, forks }: { readonly seq: Seq; readonly forks: 'refuse' | 'purge' },
): Promise<PurgeOutcome> {
  const at = chat.runtime.now()
  const outcome = await rewrite(chat, { id: chat.id, how: 'purge', seq, forks, at })
  if (outcome.kind === 'removed' || outcome.kind === 'other-role') throw unexpected(outcome)
  if (outcome.kind !== 'rewritten') return outcome
  const { conversations, erased, remains } = outcome
  return { kind: 'purged', conversations, erased, remains }
}

async function rewrite({ store, runtime }: Internals, command: RewriteCommand) {
  const outcome = await store.rewrite(command)
  if (outcome.kind === 'rewritten') runtime.purges.changed(runtime.tenant, outcome.conversations)
  return outcome
}

function unexpected({ kind }: RewriteOutcome): ThroughlineError {
  return new ThroughlineError('STORE_FAILED', `the store returned the unexpected outcome "${kind}"`)
}
