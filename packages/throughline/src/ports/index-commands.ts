/** What a store is told of what is searched, and what it answers. */
import type { FoundPieces, PieceQuery } from '../domain/found-pieces.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { IndexedPiece } from '../domain/indexed-piece.ts'

export interface IndexCommand {
  readonly id: ConversationId
  /** Where the index ends. */
  readonly from: Seq
  readonly to: Seq
  /** The chain hash of the last of these messages: what was analysed is what the log holds. */
  readonly chain: string
  /** Of these messages, ascending by place and part; a message may have none. */
  readonly pieces: readonly IndexedPiece[]
}

export type IndexOutcome =
  | { readonly kind: 'indexed' }
  /** Somebody else was faster, or these are not the messages that stand there: look again. */
  | { readonly kind: 'moved'; readonly indexedTo: Seq }
  | { readonly kind: 'not-found' }

/** Any string is a term; one that no piece holds is found nowhere. */
export interface FindQuery extends PieceQuery {
  readonly id: ConversationId
}

export interface Found extends FoundPieces {
  /** Messages from here on have not been indexed yet. */
  readonly indexedTo: Seq
}
