/** Commands to edit, remove or purge messages, or to purge a whole conversation, and their outcomes. */
import type { Conversation } from '../domain/conversation.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Role } from '../domain/message.ts'
import type { SealedMessage } from '../domain/sealed-message.ts'
import type { IndexedPiece } from '../domain/search-index.ts'
import type { Span } from '../domain/span.ts'

/** Edits or purges one message, or removes a span of messages, at the time `at`. */
export type RewriteCommand = { readonly id: ConversationId; readonly at: number } & (
  | {
      readonly how: 'edit'
      readonly seq: Seq
      /** Its role is that of the replaced message, whose key stays. */
      readonly message: SealedMessage
      /** Its search terms, used if the replaced message was indexed. */
      readonly pieces: readonly IndexedPiece[]
    }
  /** Places after the end of the conversation are ignored. */
  | { readonly how: 'remove'; readonly span: Span }
  /** If a related conversation (source, fork) has the message too: `refuse`, or `purge` it there too. */
  | { readonly how: 'purge'; readonly seq: Seq; readonly forks: 'refuse' | 'purge' }
)

/** What a rewrite changed, or why it was refused. */
export type RewriteOutcome =
  | ({
      readonly kind: 'rewritten'
      readonly conversation: Conversation
      /** The conversations whose log changed: none, this one, or after a purge also related ones. */
      readonly conversations: readonly ConversationId[]
    } & Erasure)
  | AlreadyPurged
  | { readonly kind: 'not-found' }
  /** An edit fails if the message was removed, or if it has another role, which is `role`. */
  | { readonly kind: 'removed' }
  | { readonly kind: 'other-role'; readonly role: Role }
  | { readonly kind: 'has-forks'; readonly forks: readonly ConversationId[] }

/** Deletes a conversation and its children for good, with their stored bytes. */
export interface PurgeCommand {
  readonly id: ConversationId
  /** Forks read the messages of their source, so the purge must include them (`purge`) or fail. */
  readonly forks: 'refuse' | 'purge'
  readonly at: number
}

/** What a purge removed, or why it was refused. */
export type PurgeOutcome =
  | ({ readonly kind: 'purged'; readonly conversations: readonly ConversationId[] } & Erasure)
  | AlreadyPurged
  | { readonly kind: 'has-forks'; readonly forks: readonly ConversationId[] }
  | { readonly kind: 'not-found' }

/** An earlier purge removed the content; this call erased bytes that it had left, if it could. */
type AlreadyPurged = { readonly kind: 'already-purged' } & Erasure

/** Whether the store has overwritten the bytes of everything that was purged so far. */
export interface Erasure {
  /** False if bytes remain: purge again, or open the store again, to erase them. */
  readonly erased: boolean
  /** The files that may still have old bytes: another connection reads them, or the disk is full. */
  readonly remains: readonly ErasureRemains[]
}

export type ErasureRemains = 'database' | 'write-ahead-log'
