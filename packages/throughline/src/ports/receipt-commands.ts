/** How receipts are read from a store, and completed. */
import type { Hindsight } from '../domain/hindsight.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Expansion, LeftInContext, Receipt } from '../domain/receipt.ts'

export interface ReceiptsQuery {
  readonly id: ConversationId
  readonly limit: number
  /** Only those of a smaller version; null for all. */
  readonly before: number | null
}

export interface WaitingQuery {
  readonly id: ConversationId
  readonly recorded: number
}

export interface WaitingReceipt {
  readonly receipt: Receipt
  /** That of the conversation, as in its state. */
  readonly serial: number
  readonly left: LeftInContext
  /** In the order in which they were expanded first. */
  readonly expanded: readonly Expansion[]
  /** That of the conversation: hindsight on another history is none of this one. */
  readonly rewrites: number
}

export interface CompleteCommand {
  readonly id: ConversationId
  readonly serial: number
  /** Of the receipt. */
  readonly version: number
  /** Of the conversation, when it was looked at. */
  readonly rewrites: number
  readonly hindsight: Hindsight
  readonly at: number
}

export type CompleteOutcome =
  | { readonly kind: 'completed' }
  /** Somebody else was faster; theirs stays. */
  | { readonly kind: 'complete-already' }
  /** Messages were edited, removed or purged since: look again. */
  | { readonly kind: 'rewritten' }
  | { readonly kind: 'not-found' }
