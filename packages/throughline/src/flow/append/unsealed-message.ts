/** A sealed message read again, without a store between. */
import { type ConversationId, messageId, type Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { bodyAsRead } from '../../domain/message-body.ts'
import { clientKey } from '../../domain/sealed-message.ts'
import type { AppendedEntry } from '../../ports/store.ts'
import type { Sealing } from './seal-message.ts'

/** One that is in the log, as a store reads it. */
export function placedMessage(
  { sealed, body }: Sealing,
  conversationId: ConversationId,
  { seq, chain, marks }: Pick<AppendedEntry, 'seq' | 'chain' | 'marks'>,
): Message {
  return {
    id: messageId(conversationId, seq),
    conversationId,
    seq,
    ...bodyAsRead(body),
    createdAt: sealed.createdAt,
    key: sealed.key && clientKey(sealed.key.value),
    hashes: { content: sealed.contentHash, canonical: sealed.canonicalHash, chain },
    marks,
  }
}

/** One that is in no log of ours, at the place it would have. A chain is given with a place. */
export function unplacedMessage(
  { sealed, body }: Sealing,
  conversationId: ConversationId,
  seq: Seq,
): Message {
  const keyless = { sealed: { ...sealed, key: null }, body }
  return placedMessage(keyless, conversationId, { seq, chain: '', marks: [] })
}
