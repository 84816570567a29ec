/**
 * Appends a caller's messages to the log and returns their positions.
 *
 * Every well-formed message is accepted, even a result without a call: rendering repairs it. The
 * whole batch is checked, then written in one commit. A key makes a retry harmless.
 */
import { defaults } from '../../defaults-data.ts'
import { loadConversation } from '../../derived/state.ts'
import type { Sha256 } from '../../domain/hash.ts'
import { type ConversationId, conversationId, type Seq } from '../../domain/ids.ts'
import type { Message, MessageInput } from '../../domain/message.ts'
import { batchKey, clientKey } from '../../domain/sealed-message.ts'
import { isThroughlineError, ThroughlineError } from '../../errors.ts'
import type { AppendedEntry, TenantStore } from '../../ports/store.ts'
import { arrayItems, invalid } from '../check/check-fields.ts'
import { invalidOption } from '../check/check-options.ts'
import {
  checkKey,
  type SealedInput,
  type SealSettings,
  sealMessage,
  storedMessage,
  unstoredMessage,
} from './seal-message.ts'

export interface Appended {
  /** The position that the next message will get. */
  readonly head: number
  /** One entry for each message of the caller, in the same order. */
  readonly entries: readonly AppendedEntry[]
}

/** `written` is for caches: the messages that this call wrote, so that they need not be read back. */
export async function append(
  store: TenantStore,
  id: ConversationId,
  batch: { readonly messages: unknown; readonly key: unknown; readonly head: Seq | undefined },
  settings: SealSettings,
) {
  const sealings = sealBatch(batch.messages, batch.key, settings)
  const messages = sealings.map(({ sealed }) => sealed)
  if (messages.length === 0) {
    const head = (await loadConversation(store, id))?.head ?? 0
    return { appended: { head, entries: [] }, written: null }
  }
  const outcome = await store.append({ id, messages, at: settings.now, expectedHead: batch.head })
  if (outcome.kind === 'head-moved')
    throw new ThroughlineError(
      'LOG_MOVED',
      `conversation "${id}" ends at ${outcome.head} and not at ${batch.head}: another writer has appended; load the new messages and try again`,
      { details: { head: outcome.head } },
    )
  if (outcome.kind === 'key-conflict')
    throw new ThroughlineError(
      'KEY_CONFLICT',
      `conversation "${id}": key "${clientKey(outcome.key)}" was already used for other content, at message ${outcome.seq}; use a new key`,
    )
  const { serial, head, entries } = outcome
  const writtenMessages = () =>
    sealings.flatMap((sealing, index) => {
      const entry = entries[index]
      return entry === undefined || entry.repeated ? [] : [storedMessage(sealing, id, entry)]
    })
  return { appended: { head, entries }, written: { serial, messages: writtenMessages } }
}

function sealBatch(value: unknown, key: unknown, settings: SealSettings): readonly SealedInput[] {
  return wrapReadErrors(() => {
    const sealed = Array.isArray(value)
      ? arrayItems(value).map((item, index, all) =>
          sealMessage(item, `messages[${index}]`, settings, all[index - 1]),
        )
      : [sealMessage(value, 'message', settings)]
    return key === undefined ? sealed : withBatchKey(sealed, checkKey(key, 'key'), settings)
  })
}

/** Each message gets its own key; all of them carry the hash of the whole batch. */
function withBatchKey(
  sealings: readonly SealedInput[],
  key: string,
  { sha256 }: SealSettings,
): readonly SealedInput[] {
  if (sealings.some(({ sealed }) => sealed.key !== null))
    throw invalid('key', 'is given for the batch and for a message of it; give one of the two')
  const hashes = sealings.map(({ sealed }) => sealed.identityHash)
  const hash = hashes.length === 1 ? hashes[0] : sha256(hashes.join())
  return sealings.map(({ sealed, body }, index) => ({
    sealed: { ...sealed, key: { value: batchKey(key, index), hash: hash ?? '' } },
    body,
  }))
}

const unstoredId = conversationId('given')

/** Checks and hashes messages that the caller stores; a message's index is its position. */
export function sealMessages(inputs: readonly MessageInput[], sha256: Sha256): readonly Message[] {
  if (!Array.isArray(inputs)) throw invalidOption('messages must be an array of messages')
  const settings = { sha256, now: 0, messageBytesMax: defaults.messageBytesMax }
  return wrapReadErrors(() =>
    arrayItems(inputs).map((input, seq) =>
      unstoredMessage(sealMessage(input, `messages[${seq}]`, settings), unstoredId, seq),
    ),
  )
}

/** Reading a value can throw: a getter fails, a buffer is detached, a string becomes too long. */
function wrapReadErrors<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (isThroughlineError(cause)) throw cause
    throw new ThroughlineError('MESSAGE_INVALID', 'a message cannot be read', { cause })
  }
}
