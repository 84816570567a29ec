/**
 * Stage 1 of 8: append. A caller's messages in, places in the log out.
 *
 * Any well-formed message is taken, an orphan result too: the projection repairs
 * and lists, the log only remembers. The whole batch is checked before anything
 * is written, and written in one commit. A key makes a retry harmless: a key on a
 * message stands for that message, a key for the batch stands for all of it.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { SealedMessage } from '../domain/sealed-message.ts'
import { ThroughlineError } from '../errors.ts'
import type { AppendedEntry, TenantStore } from '../ports/store.ts'
import { invalid, object, onlyFields } from './check-fields.ts'
import { checkKey, type SealSettings, sealMessage } from './seal-message.ts'

export interface AppendResult {
  /** The place that the next message will take. */
  readonly head: number
  /** One for each message handed in, in its order. */
  readonly entries: readonly AppendedEntry[]
}

export async function append(
  store: TenantStore,
  id: ConversationId,
  batch: { readonly messages: unknown; readonly options: unknown },
  settings: SealSettings,
): Promise<AppendResult> {
  const options = object(batch.options, 'options')
  onlyFields(options, ['key'], 'options')
  const messages = sealBatch(batch.messages, options['key'], settings)
  if (messages.length === 0) return { head: (await store.conversation(id))?.head ?? 0, entries: [] }
  const outcome = await store.append({ id, messages, at: settings.now })
  if (outcome.kind === 'key-conflict')
    throw new ThroughlineError(
      'KEY_CONFLICT',
      `conversation "${id}": key "${outcome.key}" stands for other content, at message ${outcome.seq}`,
    )
  return { head: outcome.head, entries: outcome.entries }
}

function sealBatch(value: unknown, key: unknown, settings: SealSettings): readonly SealedMessage[] {
  if (!Array.isArray(value))
    return withBatchKey([sealMessage(value, 'message', settings)], key, settings)
  const sealed = value.map((message, index) => sealMessage(message, `messages[${index}]`, settings))
  return withBatchKey(sealed, key, settings)
}

/** Each message gets a key of its own; all carry the fingerprint of the whole batch. */
function withBatchKey(
  messages: readonly SealedMessage[],
  key: unknown,
  settings: SealSettings,
): readonly SealedMessage[] {
  if (key === undefined) return messages
  const batchKey = checkKey(key, 'key')
  if (messages.some((message) => message.key !== null))
    throw invalid('key', 'is given for the batch and for a message of it; give one of the two')
  const fingerprint = settings.sha256(messages.map((message) => message.contentHash).join())
  return messages.map((message, index) => ({
    ...message,
    key: { value: index === 0 ? batchKey : `${batchKey} +${index}`, fingerprint },
  }))
}
