/**
 * The store: a log of messages that loses nothing, and rows that are derived from it.
 *
 * Each command is atomic, and no transaction crosses this port. An id of another tenant is not found. What
 * a correct program can meet is an outcome with a `kind`; a store that cannot be reached throws an error
 * whose code begins with STORE. `derivedKinds` says what each kind of row needs, and `derived/` reads and
 * writes them with their types. Every store passes `storeContract` of `throughline/testing`.
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
import type { FoundPieces, IndexedPiece, PieceQuery } from '../domain/search-index.ts'
import type { Span } from '../domain/span.ts'
import type { PurgeCommand, PurgeOutcome, RewriteCommand, RewriteOutcome } from './rewrite.ts'

/** Where conversations are kept: the log of each, and what is derived from it. */
export interface Store {
  /** The log of one tenant; nothing crosses between two. */
  tenant(id: TenantId): TenantStore
  /** Waits for nothing, loses nothing; calls made afterwards throw STORE_CLOSED. */
  close(): Promise<void>
}

/** A conversation in its store. */
export interface StoredConversation {
  readonly store: TenantStore
  readonly id: ConversationId
}

/** The log of one tenant: the commands and queries that a store answers. */
export interface TenantStore {
  /** Begins a conversation, perhaps as a fork or a child of another. */
  create(command: CreateCommand): Promise<CreateOutcome>
  /** A conversation with the rows that are asked for, of one state; null if there is none. */
  load(query: LoadQuery): Promise<Loaded | null>
  /** Conversations of the tenant, each with the time of its last message. */
  list(query: ListQuery): Promise<readonly ListedConversation[]>
  /** Begins the conversation if there is none of that id. */
  append(command: AppendCommand): Promise<AppendOutcome>
  /** In order; what lies outside the conversation is left out; null if there is none. */
  read(query: ReadQuery): Promise<readonly Message[] | null>
  /** The bytes of a message as they were handed in, or of a file under its hash. */
  bytes(query: BytesQuery): Promise<Uint8Array | null>
  /** Changes a conversation and its rows, if it still has the version that the caller knows. */
  commit(command: CommitCommand): Promise<CommitOutcome>
  /**
   * Writes rows and moves no version. Without events it does not wait for the disk: a power cut
   * may lose it whole.
   */
  record(command: RecordCommand): Promise<RecordOutcome>
  /**
   * Adds search terms; moves no version, waits for no disk. A fork indexes shared messages for
   * all that share them.
   */
  index(command: IndexCommand): Promise<IndexOutcome>
  /** Which pieces hold which terms; null if there is no such conversation. */
  search(query: SearchQuery): Promise<Found | null>
  /**
   * What happened to a conversation, oldest first, or what was purged; null if there is no such
   * conversation.
   */
  events(query: EventsQuery): Promise<readonly EngineEvent[] | null>
  /**
   * Edits, removes or purges messages, with everything that was derived from them, as `derivedKinds` says;
   * places stay. A conversation that shares a changed message keeps it, with rows of its own; a purge goes
   * everywhere. It moves the version, and one event reports it.
   */
  rewrite(command: RewriteCommand): Promise<RewriteOutcome>
  /** Removes a conversation, its children, and everything of them. */
  purge(command: PurgeCommand): Promise<PurgeOutcome>
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

/** Asks for a conversation with derived rows. */
export interface LoadQuery {
  readonly id: ConversationId
  readonly rows?: readonly RowQuery[]
}

/** A conversation as it is now, with the rows that were asked for. */
export interface Loaded {
  readonly conversation: Conversation
  /** No other conversation of the store has it or had it, also none of the same id before. */
  readonly serial: number
  /** One list for each query, in their order. */
  readonly rows: readonly (readonly DerivedRow[])[]
}

/** Which rows of a kind; every field that is left out lets all of them through. */
export interface RowQuery {
  readonly kind: DerivedKind
  /** The key, or that it is the label of another row: rows of that row. */
  readonly key?: string | { readonly labelOf: Pick<DerivedRow, 'kind' | 'key'> }
  readonly label?: string | null
  /** Of positions. */
  readonly span?: Span
  /** Only rows that have a bound, of at most so much. */
  readonly boundTo?: number
  /** By position, ascending or descending; or by bound and then position. `first` where left out. */
  readonly order?: 'first' | 'last' | 'least' | 'most'
  readonly limit?: number
  readonly skip?: number
  /** Without bodies, which may be large. */
  readonly bare?: boolean
  /** Only rows of the conversation itself, whatever its source has. */
  readonly own?: boolean
  /** None where the conversation still has this version. */
  readonly unlessVersion?: number | undefined
}

/** Asks for conversations of a tenant, a page at a time. */
export type ListQuery =
  /** Ordered by id, from the first after `after`; of one parent, or of all. */
  | {
      readonly by: 'id'
      readonly after: ConversationId | null
      readonly limit: number
      readonly parent: ConversationId | null
    }
  /** Ordered by the time of their last messages, newest first, then by id from the last; null for all. */
  | { readonly by: 'latest'; readonly limit: number | null }

/** A conversation in a list. */
export interface ListedConversation {
  readonly conversation: Conversation
  /** Milliseconds since 1970: of the message at its end, or of its beginning where it has none. */
  readonly lastAt: number
}

/** Appends messages to a conversation. */
export interface AppendCommand {
  readonly id: ConversationId
  readonly messages: readonly SealedMessage[]
  readonly at: number
  /** Only where the log ends here; messages whose keys are known are answered in any case. */
  readonly expectedHead?: Seq | undefined
}

/** The places of the messages, or why they were refused. */
export type AppendOutcome =
  | {
      readonly kind: 'appended'
      /** That of the conversation, as in `Loaded`. */
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

/** Asks for messages of a span. */
export type ReadQuery = { readonly id: ConversationId } & (
  | {
      readonly span: Span
      /** Places to leave out, ascending, each once. Their bodies are not touched, however large. */
      readonly except?: readonly Seq[]
    }
  /** So many before a place; a place after the end means from the end. */
  | { readonly before: Seq; readonly limit: number }
)

/** Asks for the bytes of a message or of a file. */
export type BytesQuery = { readonly id: ConversationId } & (
  | { readonly seq: Seq }
  | { readonly sha256: string }
)

/** Writes derived rows and changes of the conversation in one transaction. */
export interface CommitCommand {
  readonly id: ConversationId
  readonly expectedVersion: number
  readonly fields?: ConversationFields
  /** Rows that go first: all of that key. */
  readonly drop?: readonly Pick<DerivedRow, 'kind' | 'key'>[]
  /** Rows that get another label; those that are not there are left out. */
  readonly relabel?: readonly Pick<DerivedRow, 'kind' | 'key' | 'label'>[]
  /** Rows to write; one at that position with that key gives way. */
  readonly put?: readonly DerivedRow[]
  /** One at least: no version moves in silence. */
  readonly events: readonly EventBody[]
  readonly at: number
}

/** A field that is left out stays as it is. */
export interface ConversationFields {
  readonly title?: string | null
  /** With a title: the message that it was made from. Left out or null, the title is the caller's. */
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
  /** Goes into every row of the kind that has a bound, as `derivedKinds` says. */
  readonly note?: { readonly kind: DerivedKind; readonly value: JsonValue }
  /** Only where it is the same conversation, not rewritten since, and the row has that bound. */
  readonly only?: {
    readonly serial: number
    readonly rewrites: number
    readonly row: Pick<DerivedRow, 'kind' | 'position' | 'key' | 'bound'>
  }
  readonly events?: readonly EventBody[]
  readonly at?: number
}

export interface RecordedRow extends Omit<DerivedRow, 'position'> {
  /** `next`: one more than the last, from 1. */
  readonly position: number | 'next'
  /** One there that has the same label stays. */
  readonly keepsSame?: boolean
}

/** Whether the rows were written. */
export type RecordOutcome =
  | { readonly kind: 'recorded' }
  /** Messages were edited, removed or purged since: load again. */
  | { readonly kind: 'rewritten' }
  /** The row has another bound: somebody else was faster. */
  | { readonly kind: 'row-changed' }
  | { readonly kind: 'not-found' }

/** Writes search terms of messages. */
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

/** Whether the terms were written. */
export type IndexOutcome =
  | { readonly kind: 'indexed' }
  /** Somebody else was faster, or the log holds other messages there: load again. */
  | { readonly kind: 'moved'; readonly indexedTo: Seq }
  | { readonly kind: 'not-found' }

/** Any string is a term; one that no piece holds is found nowhere. */
export interface SearchQuery extends PieceQuery {
  readonly id: ConversationId
}

export interface Found extends FoundPieces {
  /** Messages from here on have not been indexed yet. */
  readonly indexedTo: Seq
}

/** Asks for events of a conversation. */
export type EventsQuery =
  /** Of a conversation: those with a greater number than `after`, in order. */
  | { readonly id: ConversationId; readonly after: number; readonly limit: number }
  /** Of the tenant: what was purged, newest first; of one conversation, where one is named. */
  | { readonly id: null; readonly purged: ConversationId | null; readonly limit: number }
