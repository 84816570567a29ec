/** A message that is not in a log of ours, in the form of one that is, at the place it would have. */
import { type ConversationId, messageId, type Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { decodeBody } from '../domain/message-body.ts'
import type { SealedMessage } from '../domain/sealed-message.ts'

export function unplacedMessage(
  sealed: SealedMessage,
  conversationId: ConversationId,
  seq: Seq,
): Message {
  return {
    id: messageId(conversationId, seq),
    conversationId,
    seq,
    ...decodeBody(sealed.body),
    createdAt: sealed.createdAt,
    key: null,
    // A chain is given with a place.
    hashes: { content: sealed.contentHash, canonical: sealed.canonicalHash, chain: '' },
    marks: [],
  }
}
