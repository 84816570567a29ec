/**
 * The port for stores. A store keeps the log of messages and the rows that are derived from it.
 *
 * Each command is atomic, and no transaction crosses this port. An id of another tenant is not
 * found. Expected outcomes have a `kind`; a store that cannot be reached throws an error whose code
 * begins with STORE. `derivedKinds` has the rules of each kind of row, and `derived/` reads and
 * writes rows with their types. Every store passes `storeContract` of `throughline/testing`.
 */
import type {
  CompactionControl,
  Conversation,
  ForkPoint,
  ParentLink,
} from '../domain/conversation.ts'
import type { DerivedKind, DerivedRow } from '../domain/derived-row.ts'
import type { EngineEvent, EventBody } from '../domain/event.ts'
import type { ConversationId, Seq, TenantId } from '../domain/ids.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { Mark, Message } from '../domain/message.ts'
import type { SealedMessage } from '../domain/sealed-message.ts'
import type { FoundPieces, IndexedPiece, PieceKey, PieceQuery } from '../domain/search-index.ts'
import type { Span } from '../domain/span.ts'
import type { PurgeCommand, PurgeOutcome, RewriteCommand, RewriteOutcome } from './rewrite.ts'

/** Keeps conversations: the log of each, and the rows that are derived from it. */
export interface Store {
  /** The conversations of one tenant; tenants share nothing. */
  tenant(id: TenantId): TenantStore
  /** Closes at once and loses nothing; later calls throw STORE_CLOSED. */
  close(): Promise<void>
}

/** A conversation in its store. */
export interface StoredConversation {
  readonly store: TenantStore
  readonly id: ConversationId
}

/** The log of one tenant: the commands and queries that a store answers. */
export interface TenantStore {
  /** Creates a conversation, perhaps as a fork or a child of another. */
  create(command: CreateCommand): Promise<CreateOutcome>
  /** A conversation with the requested rows, read in one transaction; null if there is none. */
  load(query: LoadQuery): Promise<Loaded | null>
  /** Conversations of the tenant, each with the time of its last message. */
  list(query: ListQuery): Promise<readonly ListedConversation[]>
  /** Creates the conversation if there is none of that id. */
  append(command: AppendCommand): Promise<AppendOutcome>
  /** Messages in order; places outside the conversation are skipped; null if there is none. */
  read(query: ReadQuery): Promise<readonly Message[] | null>
  /** The original bytes of a message, or of a file under its hash. */
  bytes(query: BytesQuery): Promise<Uint8Array | null>
  /** Changes a conversation and its rows, if it still has the version that the caller knows. */
  commit(command: CommitCommand): Promise<CommitOutcome>
  /** Writes rows without moving the version. Without events, a power cut may lose the command. */
  record(command: RecordCommand): Promise<RecordOutcome>
  /** Adds search terms without moving the version; a power cut may lose them. */
  index(command: IndexCommand): Promise<IndexOutcome>
  /** Which pieces contain which terms; null if there is no such conversation. */
  search(query: SearchQuery): Promise<Found | null>
  /** Events of a conversation, oldest first (null if there is none), or purges, newest first. */
  events(query: EventsQuery): Promise<readonly EngineEvent[] | null>
  /**
   * Edits, removes or purges messages and everything derived from them, as `derivedKinds` says;
   * places stay. A conversation that shares an edited or removed message keeps it, with rows of its
   * own; a purge removes it everywhere. It moves the version, and one event reports it.
   */
  rewrite(command: RewriteCommand): Promise<RewriteOutcome>
  /** Removes a conversation and its children with all their rows. */
  purge(command: PurgeCommand): Promise<PurgeOutcome>
  /** Only where the store can compare vectors. */
  readonly vectors?: PieceVectors | undefined
}

/**
 * Vectors of indexed pieces, by which recall finds what has no word of the question. They are deleted
 * with their pieces: when a message is edited, removed or purged.
 */
export interface PieceVectors {
  /** Null if there is no such conversation, or the database cannot compare vectors. */
  nearest(query: {
    readonly id: ConversationId
    /** Vectors of other models, and of other lengths, are not compared. */
    readonly model: string
    readonly vector: ArrayLike<number>
    readonly before: Seq
    readonly limit: number
  }): Promise<{
    /** The most similar first. */
    readonly pieces: readonly { readonly key: PieceKey; readonly similarity: number }[]
    /** Some pieces without a vector, newest first. */
    readonly missing: readonly PieceKey[]
    /** Of the conversation: proves that no message has been changed since. */
    readonly rewrites: number
  } | null>
  /** Writes nothing where the conversation was rewritten since. */
  put(command: {
    readonly id: ConversationId
    readonly model: string
    readonly rewrites: number
    readonly vectors: readonly { readonly key: PieceKey; readonly vector: ArrayLike<number> }[]
  }): Promise<void>
}

/** Creates a conversation, or a fork of one. */
export interface CreateCommand {
  readonly id: ConversationId
  readonly title: string | null
  readonly meta: JsonObject | null
  readonly parent: ParentLink | null
  readonly forkedFrom: ForkPoint | null
  readonly at: number
}

/** The new conversation, or why there is none. */
export type CreateOutcome =
  | { readonly kind: 'created'; readonly conversation: Conversation }
  | { readonly kind: 'exists'; readonly conversation: Conversation }
  | { readonly kind: 'source-not-found' }
  | { readonly kind: 'source-too-short'; readonly head: Seq }

/** Selects a conversation and derived rows. */
export interface LoadQuery {
  readonly id: ConversationId
  readonly rows?: readonly RowQuery[]
}

/** A conversation with the requested rows. */
export interface Loaded {
  readonly conversation: Conversation
  /** Unique in the store for ever, even if the id is used again after a purge. */
  readonly serial: number
  /** One list for each query, in their order. */
  readonly rows: readonly (readonly DerivedRow[])[]
}

/** Selects rows of a kind; an omitted field selects all. */
export interface RowQuery {
  readonly kind: DerivedKind
  /** The key itself, or another row whose label is the key. */
  readonly key?: string | { readonly labelOf: Pick<DerivedRow, 'kind' | 'key'> }
  readonly label?: string | null
  /** Only rows at these positions. */
  readonly span?: Span
  /** Only rows whose bound is at most this. */
  readonly boundTo?: number
  /** By position, ascending or descending; or by bound, then position. By default `first`. */
  readonly order?: 'first' | 'last' | 'least' | 'most'
  readonly limit?: number
  readonly skip?: number
  /** Without bodies, which may be large. */
  readonly bare?: boolean
  /** Only rows of the conversation itself, whatever its source has. */
  readonly own?: boolean
  /** Returns no rows where the conversation still has this version. */
  readonly unlessVersion?: number | undefined
}

/** Selects conversations of a tenant, a page at a time. */
export type ListQuery =
  /** Ordered by id, from the first after `after`; of one parent, or of all. */
  | {
      readonly by: 'id'
      readonly after: ConversationId | null
      readonly limit: number
      readonly parent: ConversationId | null
    }
  /** Ordered by their last messages, newest first, then by id from the last; null for all. */
  | { readonly by: 'latest'; readonly limit: number | null }

/** A conversation in a list. */
export interface ListedConversation {
  readonly conversation: Conversation
  /** When the last message, or else the conversation, was created: milliseconds since 1970. */
  readonly lastAt: number
}

/** Appends messages to a conversation. */
export interface AppendCommand {
  readonly id: ConversationId
  readonly messages: readonly SealedMessage[]
  readonly at: number
  /** Appends only where the log ends here; messages with known keys are accepted in any case. */
  readonly expectedHead?: Seq | undefined
}

/** The places of the messages, or why they were refused. */
export type AppendOutcome =
  | {
      readonly kind: 'appended'
      /** The serial of the conversation, as in `Loaded`. */
      readonly serial: number
      readonly head: Seq
      /** One for each message of the command, in its order. */
      readonly entries: readonly AppendedEntry[]
    }
  | { readonly kind: 'key-conflict'; readonly key: string; readonly seq: Seq }
  | { readonly kind: 'head-moved'; readonly head: Seq }

/** The place of a message, and what the log noticed about it. */
export interface AppendedEntry {
  readonly seq: Seq
  readonly chain: string
  readonly marks: readonly Mark[]
  /** The key was known with this content: nothing was written for this message. */
  readonly repeated: boolean
}

/** Selects messages of a conversation. */
export type ReadQuery = { readonly id: ConversationId } & (
  | {
      readonly span: Span
      /** Places to leave out, ascending, each once: their bodies, perhaps large, are not read. */
      readonly except?: readonly Seq[]
    }
  /** The last messages before a place; a place after the end counts as the end. */
  | { readonly before: Seq; readonly limit: number }
)

/** Selects the bytes of a message or of a file. */
export type BytesQuery = { readonly id: ConversationId } & (
  | { readonly seq: Seq }
  | { readonly sha256: string }
)

/** Writes derived rows and changes of the conversation in one transaction. */
export interface CommitCommand {
  readonly id: ConversationId
  readonly expectedVersion: number
  readonly fields?: ConversationFields
  /** Removes all rows of these keys, before others are written. */
  readonly drop?: readonly Pick<DerivedRow, 'kind' | 'key'>[]
  /** Changes the labels of rows; missing rows are skipped. */
  readonly relabel?: readonly Pick<DerivedRow, 'kind' | 'key' | 'label'>[]
  /** Writes rows; each replaces one with the same position and key. */
  readonly put?: readonly DerivedRow[]
  /** At least one, so that every new version has an event. */
  readonly events: readonly EventBody[]
  readonly at: number
}

/** A field that is left out stays as it is. */
export interface ConversationFields {
  readonly title?: string | null
  /** The message that the title was made from; omitted or null where the caller wrote the title. */
  readonly titleFrom?: Seq | null
  readonly meta?: JsonObject | null
  /** Ascending, each once. */
  readonly pins?: readonly Seq[]
  readonly pinnedTo?: Seq
  readonly compaction?: CompactionControl
}

/** The version that the commit made, or why it was refused. */
export type CommitOutcome =
  | { readonly kind: 'committed'; readonly conversation: Conversation }
  | { readonly kind: 'version-moved'; readonly version: number }
  | { readonly kind: 'not-found' }

/** Writes derived rows outside of a commit. */
export interface RecordCommand {
  readonly id: ConversationId
  readonly drop?: readonly Pick<DerivedRow, 'kind' | 'key'>[]
  readonly put?: readonly RecordedRow[]
  /** Adds a value to all rows of the kind with a bound, by `withAnnotation` of `derivedKinds`. */
  readonly annotate?: { readonly kind: DerivedKind; readonly value: JsonValue }
  /** Writes only if the conversation is the same, was not rewritten, and the row, if given, has this bound. */
  readonly onlyIf?: {
    readonly serial: number
    readonly rewrites: number
    readonly row?: Pick<DerivedRow, 'kind' | 'position' | 'key' | 'bound'>
  }
  readonly events?: readonly EventBody[]
  readonly at?: number
}

export interface RecordedRow extends Omit<DerivedRow, 'position'> {
  /** `next`: one more than the last position, from 1. */
  readonly position: number | 'next'
  /** Writes nothing where the existing row has the same label. */
  readonly keepsSame?: boolean
}

/** Whether the rows were written. */
export type RecordOutcome =
  | { readonly kind: 'recorded' }
  /** Messages were edited, removed or purged since: load again. */
  | { readonly kind: 'rewritten' }
  /** The row has another bound: another process was faster. */
  | { readonly kind: 'row-changed' }
  | { readonly kind: 'not-found' }

/** Writes search terms of messages. */
export interface IndexCommand {
  readonly id: ConversationId
  /** The current end of the index. */
  readonly from: Seq
  readonly to: Seq
  /** The chain hash of the last message: proves that the analysed messages are in the log. */
  readonly chain: string
  /** Pieces of these messages, ascending by place and part; a message may have none. */
  readonly pieces: readonly IndexedPiece[]
}

/** Whether the terms were written. */
export type IndexOutcome =
  | { readonly kind: 'indexed' }
  /** Another process was faster, or the log has other messages there: load again. */
  | { readonly kind: 'moved'; readonly indexedTo: Seq }
  | { readonly kind: 'not-found' }

/** Any string is a valid term; an unknown term has no matches. */
export interface SearchQuery extends PieceQuery {
  readonly id: ConversationId
}

export interface Found extends FoundPieces {
  /** Messages from here on have not been indexed yet. */
  readonly indexedTo: Seq
}

/** Selects events of a conversation, or purges of the tenant. */
export type EventsQuery =
  /** Events of a conversation with a number greater than `after`, in order. */
  | { readonly id: ConversationId; readonly after: number; readonly limit: number }
  /** Purges of the tenant, newest first; with `purged`, only those of that conversation. */
  | { readonly id: null; readonly purged: ConversationId | null; readonly limit: number }
