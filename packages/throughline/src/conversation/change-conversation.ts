/** Changes of a conversation; if its version has moved meanwhile, a change is computed again. */
import { defaults } from '../defaults-data.ts'
import type { ConversationChanges } from '../derived/changes.ts'
import { commitChanges } from '../derived/commit.ts'
import { type ConversationState, loadConversation, loadState } from '../derived/state.ts'
import type { CompactionControl, CompactionMode, Conversation } from '../domain/conversation.ts'
import type { Seq } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { isRemoved } from '../domain/sealed-message.ts'
import { ThroughlineError } from '../errors.ts'
import { titleOf } from '../extract/title.ts'
import { checkChanges } from '../flow/check/check-conversation.ts'
import type { StoredConversation, TenantStore } from '../ports/store.ts'

/** There is no such conversation, message or version. */
export type NotFound = { readonly kind: 'not-found' }

// Each is cheap, so there may be more of them than attempts to build a context.
const attemptsMax = 100

/** Commits nothing for empty changes. `changesOf` returns null where its subject does not exist. */
async function changeConversation(
  chat: StoredConversation,
  changesOf: (conversation: Conversation) => Promise<ConversationChanges | null>,
  at: number,
): Promise<Result<Conversation, NotFound>> {
  const look = async (conversation: Conversation) => {
    const changes = await changesOf(conversation)
    return changes === null ? fail({ kind: 'not-found' } as const) : ok({ changes })
  }
  const changed = await commitComputedChanges(chat, look, at)
  return changed.ok ? ok(changed.value.conversation) : changed
}

/**
 * For changes that depend on more rows than the conversation. Each of those rows moves the version,
 * so rows that are read after the conversation are consistent with the committed version.
 */
export async function commitComputedChanges<
  Seen extends { readonly changes: ConversationChanges },
  Failure extends { readonly kind: string },
>(
  { store, id }: StoredConversation,
  look: (conversation: Conversation) => Promise<Result<Seen, Failure>>,
  at: number,
): Promise<Result<Seen & { readonly conversation: Conversation }, Failure | NotFound>> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const conversation = await loadConversation(store, id)
    if (conversation === null) return fail({ kind: 'not-found' })
    const looked = await look(conversation)
    if (!looked.ok) return looked
    const { changes } = looked.value
    if (Object.keys(changes).length === 0) return ok({ ...looked.value, conversation })
    const expectedVersion = conversation.version
    const outcome = await commitChanges(store, { id, expectedVersion, changes, at })
    if (outcome.kind === 'committed')
      return ok({ ...looked.value, conversation: outcome.conversation })
    if (outcome.kind === 'not-found') return fail(outcome)
  }
  throw new ThroughlineError('STORE_BUSY', `other processes change conversation "${id}" too often`)
}

/** Why a message was not pinned: it does not exist, or was removed. */
export type PinFailure = NotFound

export async function changePins(
  chat: StoredConversation,
  seq: Seq,
  { pinned, at }: { readonly pinned: boolean; readonly at: number },
): Promise<Result<readonly Seq[], PinFailure>> {
  // A removed message has nothing to show.
  const message = pinned ? await messageAt(chat, seq) : undefined
  if (isRemoved(message ?? {})) return fail({ kind: 'not-found' })
  const changesOf = async ({ head, pins }: Conversation) => {
    if (seq >= head) return null
    if (pins.includes(seq) === pinned) return {}
    const others = pins.filter((pin) => pin !== seq)
    return { pins: pinned ? [...others, seq].sort((left, right) => left - right) : others }
  }
  const changed = await changeConversation(chat, changesOf, at)
  return changed.ok ? ok(changed.value.pins) : changed
}

/** Undefined where there is no message. */
export async function messageAt({ store, id }: StoredConversation, seq: Seq) {
  return (await store.read({ id, span: { from: seq, to: seq + 1 } }))?.[0]
}

export async function updateConversation(
  chat: StoredConversation,
  changes: ConversationUpdate,
  at: number,
): Promise<Result<Conversation, NotFound>> {
  const { compaction, titleFrom, ...named } = checkChanges(changes)
  const control = compaction === undefined ? {} : { mode: compaction }
  const changesOf = async (conversation: Conversation) => {
    const titled = titleFrom === undefined ? {} : await titleAt(chat, titleFrom)
    return titled && { ...named, ...titled, ...controlChanges(conversation, control) }
  }
  return changeConversation(chat, changesOf, at)
}

/** An edit of the message moves the version, and the title is computed again. */
async function titleAt(chat: StoredConversation, seq: Seq) {
  const message = await messageAt(chat, seq)
  if (message === undefined) return null
  const title = titleOf({ ...message, content: message.parts })
  return { title, titleFrom: title === null ? null : seq }
}

/**
 * Commits changes that do not depend on other derived rows: if the version has moved, it retries on
 * the next one. The caller checks whether messages have changed. Returns the state that it
 * committed to; null where the conversation is gone, or changes too often.
 */
export async function commitWithRetry(
  store: TenantStore,
  /** The state when the work began. */
  first: ConversationState,
  { model, now }: { readonly model: string; readonly now: () => number },
  changesOf: (state: ConversationState, at: number) => Promise<ConversationChanges>,
): Promise<ConversationState | null> {
  const { id } = first.conversation
  let state = first
  for (let attempt = 0; attempt < defaults.commitAttempts; attempt += 1) {
    const at = now()
    const changes = await changesOf(state, at)
    const { version } = state.conversation
    const outcome = await commitChanges(store, { id, expectedVersion: version, changes, at })
    if (outcome.kind === 'committed') return state
    if (outcome.kind === 'not-found') return null
    const next = await loadState(store, { id, model })
    // Purged and created again, it is another conversation.
    if (next === null || next.serial !== first.serial) return null
    state = next
  }
  return null
}

export function changeControl(
  chat: StoredConversation,
  change: Partial<CompactionControl>,
  at: number,
): Promise<Result<Conversation, NotFound>> {
  return changeConversation(chat, async (before) => controlChanges(before, change), at)
}

/** Triggers compact for this model again after an undo. */
export async function endSuspension(chat: StoredConversation, model: string, at: number) {
  const changesOf = async (before: Conversation) => {
    const suspended = before.compaction.suspended.filter((each) => each.model !== model)
    return controlChanges(before, { suspended })
  }
  await changeConversation(chat, changesOf, at)
}

export function controlChanges(
  { compaction: before }: Conversation,
  change: Partial<CompactionControl>,
): ConversationChanges {
  const compaction = { ...before, ...change }
  return JSON.stringify(compaction) === JSON.stringify(before) ? {} : { compaction }
}

export interface ConversationUpdate {
  readonly title?: string | null | undefined
  /**
   * The place of a message whose first words become the title, without secrets. It is made again
   * where the message is edited, removed or purged.
   */
  readonly titleFrom?: number | undefined
  readonly meta?: JsonObject | null | undefined
  /** Null for the engine's setting. */
  readonly compaction?: CompactionMode | null | undefined
}
