/**
 * The store: a log of messages that loses nothing.
 *
 * Few coarse commands, each atomic: it happens whole or not at all. No
 * transaction crosses this port. A tenant's store is the only way to its
 * conversations; an id of another tenant is simply not found. What a correct
 * program can meet is an outcome with a `kind`; a store that cannot be reached
 * throws a `ThroughlineError` whose code begins with STORE.
 *
 * Every store passes `storeContract` of `throughline/testing`; `throughline/stores` holds
 * what one is built from.
 */
import type { Conversation, ForkPoint, ParentLink } from '../domain/conversation.ts'
import type { DigestRecord } from '../domain/digest-record.ts'
import type { EngineEvent } from '../domain/event.ts'
import type { MessageFacts } from '../domain/fact.ts'
import type { ConversationId, Seq, TenantId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { Mark, Message } from '../domain/message.ts'
import type { PurgeLine } from '../domain/purge-line.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { RequestRecord } from '../domain/request-record.ts'
import type { SealedMessage } from '../domain/sealed-message.ts'
import type { Span } from '../domain/span.ts'
import type { KeptSummary, SummaryRecord } from '../domain/summary.ts'
import type { StepRecord, TurnRecord } from '../domain/turn-record.ts'
import type { ViewVersion } from '../domain/view-version.ts'
import type { CommitCommand, CommitOutcome } from './commit-commands.ts'
import type { FindQuery, Found, IndexCommand, IndexOutcome } from './index-commands.ts'
import type {
  CompleteCommand,
  CompleteOutcome,
  ReceiptsQuery,
  WaitingQuery,
  WaitingReceipt,
} from './receipt-commands.ts'
import type {
  PurgeCommand,
  PurgeOutcome,
  PurgesQuery,
  RewriteCommand,
  RewriteOutcome,
} from './rewrite.ts'
import type {
  ConversationState,
  DigestsQuery,
  FactsQuery,
  LedgerQuery,
  RecordCommand,
  RecordOutcome,
  RequestsQuery,
  StateQuery,
  SummariesQuery,
  SummaryBeforeQuery,
} from './state-commands.ts'
import type { StepsQuery, TurnsQuery } from './turn-commands.ts'
import type { VersionedView, VersionsQuery, ViewOfQuery } from './view-versions.ts'

export interface Store {
  /** The log of one tenant; nothing crosses between two. */
  tenant(id: TenantId): TenantStore
  /** Waits for nothing, loses nothing; calls made afterwards throw STORE_CLOSED. */
  close(): Promise<void>
}

/** The log of one tenant: the commands and queries that a store answers. */
export interface TenantStore {
  /** Begins a conversation, perhaps as a fork or a child of another. */
  create(command: CreateCommand): Promise<CreateOutcome>
  /** A conversation as it stands, or null. */
  conversation(id: ConversationId): Promise<Conversation | null>
  /** Ordered by id, from the first behind `after`. */
  list(query: ListQuery): Promise<readonly Conversation[]>
  /**
   * Ordered by the time of their last messages, newest first, and by id from the last where those are
   * alike. One without messages counts from when it was begun.
   */
  latest(query: LatestQuery): Promise<readonly LatestConversation[]>
  /** Begins the conversation if there is none of that id. */
  append(command: AppendCommand): Promise<AppendOutcome>
  /** In order; what lies outside the conversation is left out; null if there is none. */
  read(query: ReadQuery): Promise<readonly Message[] | null>
  /** The messages before a place, in order; null if there is no such conversation. */
  readBack(query: ReadBackQuery): Promise<readonly Message[] | null>
  /** The message's bytes as they were handed in. */
  original(id: ConversationId, seq: Seq): Promise<Uint8Array | null>
  /** The bytes of a file under its hash, or null. */
  file(id: ConversationId, sha256: string): Promise<Uint8Array | null>
  commit(command: CommitCommand): Promise<CommitOutcome>
  /** All that a request begins with, in one look. */
  state(query: StateQuery): Promise<ConversationState | null>
  /**
   * Notes what a request taught. Called for every request, so it waits for no disk:
   * a power cut may lose it, and never leaves half of it. It moves no version.
   */
  record(command: RecordCommand): Promise<RecordOutcome>
  /** Newest first. */
  requests(query: RequestsQuery): Promise<readonly RequestRecord[] | null>
  /**
   * In order, unless the newest are asked for first; messages without a row are left out; null
   * if there is no such conversation. Before its point a fork reads the rows of its source,
   * where it has none of its own.
   */
  facts(query: FactsQuery): Promise<readonly MessageFacts[] | null>
  /** The last one that was committed, behind which there may be rows; a fork has none until it commits its own. */
  ledger(query: LedgerQuery): Promise<Ledger | null>
  /** Newest first. A fork has none until one of its own is written. */
  summaries(query: SummariesQuery): Promise<readonly KeptSummary[] | null>
  /**
   * The one that tells most of the messages before a place, and none behind it; of several
   * the newest. Those that were withdrawn are passed over. A fork that has none reads its source's, as far as it shares its messages.
   */
  summaryBefore(query: SummaryBeforeQuery): Promise<SummaryRecord | null>
  /**
   * What models have told of large messages, in order; null if there is no such conversation.
   * Before its point a fork reads those of its source, where it has none of its own.
   */
  digests(query: DigestsQuery): Promise<readonly DigestRecord[] | null>
  /**
   * What an agent remembers of its turns, newest first; null if there is no such conversation. A
   * fork goes on from the turns of its source whose messages lie before its point: those that
   * there are when it is forked, whatever its source remembers later.
   */
  turns(query: TurnsQuery): Promise<readonly TurnRecord[] | null>
  /** What steps of an agent brought, newest first, whole; of a fork as with its turns. */
  steps(query: StepsQuery): Promise<readonly StepRecord[] | null>
  /** Newest first. A fork has none until it is compacted itself. */
  receipts(query: ReceiptsQuery): Promise<readonly Receipt[] | null>
  /** The views that were in force, newest first. A fork has none until it has a view of its own. */
  versions(query: VersionsQuery): Promise<readonly ViewVersion[] | null>
  /** The view of a version as it was committed; null where that is not kept. */
  viewOf(query: ViewOfQuery): Promise<VersionedView | null>
  /** Of the receipts whose hindsight is due, the oldest, with all that was kept for it. */
  waiting(query: WaitingQuery): Promise<WaitingReceipt | null>
  /** Adds hindsight to a receipt, once. It moves no version: nobody has to look again for it. */
  complete(command: CompleteCommand): Promise<CompleteOutcome>
  /**
   * Adds what is searched. Waits for no disk, moves no version; never part of an append. What
   * a fork indexes before its point is found by all that share it.
   */
  index(command: IndexCommand): Promise<IndexOutcome>
  /** Which pieces hold which terms; null if there is no such conversation. */
  find(query: FindQuery): Promise<Found | null>
  /** Events of a conversation, oldest first. */
  events(query: EventsQuery): Promise<readonly EngineEvent[] | null>
  /**
   * Edits, removes or purges messages: the only command that changes them. In the same commit goes
   * everything that was derived from them (`domain/rests-on.ts`, `domain/forget-turns.ts`), in every
   * conversation that has changed; places stay. A conversation that shares what changes keeps it as
   * it was, with rows of its own; what is purged goes everywhere. It moves the version, and is told
   * by one event.
   */
  rewrite(command: RewriteCommand): Promise<RewriteOutcome>
  /** Removes a conversation, its children, and everything of them. */
  purge(command: PurgeCommand): Promise<PurgeOutcome>
  /** What was purged, newest first. */
  purges(query: PurgesQuery): Promise<readonly PurgeLine[]>
}

export interface CreateCommand {
  readonly id: ConversationId
  readonly title: string | null
  readonly meta: JsonObject | null
  readonly parent: ParentLink | null
  readonly forkedFrom: ForkPoint | null
  readonly at: number
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly conversation: Conversation }
  | { readonly kind: 'exists'; readonly conversation: Conversation }
  | { readonly kind: 'source-not-found' }
  | { readonly kind: 'source-too-short'; readonly head: Seq }

export interface ListQuery {
  readonly after: ConversationId | null
  readonly limit: number
  /** Only the children of this conversation; null for all. */
  readonly parent: ConversationId | null
}

export interface LatestQuery {
  /** So many at most; null for all. */
  readonly limit: number | null
}

export interface LatestConversation {
  readonly conversation: Conversation
  /** Milliseconds since 1970: of the message at its end, or of its beginning where it has none. */
  readonly lastAt: number
}

export interface AppendCommand {
  readonly id: ConversationId
  readonly messages: readonly SealedMessage[]
  readonly at: number
  /** Only where the log ends here; messages whose keys are known are answered in any case. */
  readonly expectedHead?: Seq | undefined
}

export type AppendOutcome =
  | {
      readonly kind: 'appended'
      /** That of the conversation, as in its state. */
      readonly serial: number
      readonly head: Seq
      /** One for each message of the command, in its order. */
      readonly entries: readonly AppendedEntry[]
    }
  | { readonly kind: 'key-conflict'; readonly key: string; readonly seq: Seq }
  | { readonly kind: 'head-moved'; readonly head: Seq }

/** Where a message stands, and what the log noticed about it. */
export interface AppendedEntry {
  readonly seq: Seq
  readonly chain: string
  readonly marks: readonly Mark[]
  /** The key was known with this content: nothing was written for this message. */
  readonly repeated: boolean
}

export interface ReadQuery {
  readonly id: ConversationId
  readonly span: Span
  /** Places to leave out, ascending, each once. Their bodies are not touched, however large. */
  readonly except?: readonly Seq[]
}

export interface ReadBackQuery {
  readonly id: ConversationId
  /** Behind the end of the conversation means from its end. */
  readonly before: Seq
  readonly limit: number
}

export interface EventsQuery {
  readonly id: ConversationId
  /** Events with a greater number than this, in order. */
  readonly after: number
  readonly limit: number
}
