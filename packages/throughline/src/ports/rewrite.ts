/** Commands that edit, remove or purge, and their outcomes. */
import type { Conversation } from '../domain/conversation.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Role } from '../domain/message.ts'
import type { SealedMessage } from '../domain/sealed-message.ts'
import type { IndexedPiece } from '../domain/search-index.ts'
import type { Span } from '../domain/span.ts'

/** Edits, removes or purges messages. */
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
  /** `refuse`: where another conversation of the same family has the message too. */
  | { readonly how: 'purge'; readonly seq: Seq; readonly forks: 'refuse' | 'purge' }
)

/** What a rewrite changed, or why it was refused. */
export type RewriteOutcome =
  | ({
      readonly kind: 'rewritten'
      readonly conversation: Conversation
      readonly conversations: readonly ConversationId[]
    } & Erasure)
  | AlreadyPurged
  | { readonly kind: 'not-found' }
  /** A removed message cannot be edited. */
  | { readonly kind: 'removed' }
  | { readonly kind: 'other-role'; readonly role: Role }
  | { readonly kind: 'has-forks'; readonly forks: readonly ConversationId[] }

/** Removes a conversation and its children for good. */
export interface PurgeCommand {
  readonly id: ConversationId
  /** Forks read the messages of their source, so a purge needs to include them. */
  readonly forks: 'refuse' | 'purge'
  readonly at: number
}

/** What a purge removed, or why it was refused. */
export type PurgeOutcome =
  | ({ readonly kind: 'purged'; readonly conversations: readonly ConversationId[] } & Erasure)
  | AlreadyPurged
  | { readonly kind: 'has-forks'; readonly forks: readonly ConversationId[] }
  | { readonly kind: 'not-found' }

/** An earlier purge removed it. If that one was killed, this call has finished its work. */
type AlreadyPurged = { readonly kind: 'already-purged' } & Erasure

/** Whether the bytes of everything that was purged so far are overwritten. */
export interface Erasure {
  /** False where something remains: the same purge again, or opening the store, erases it. */
  readonly erased: boolean
  /** Where old bytes may still be, because another connection reads them or the disk is full. */
  readonly remains: readonly ErasureRemains[]
}

export type ErasureRemains = 'database' | 'write-ahead-log'
