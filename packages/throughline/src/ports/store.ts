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
import type { AskState } from '../domain/asking.ts'
import type { Calibration } from '../domain/calibration.ts'
import type { CompactionControl } from '../domain/compaction.ts'
import type { Conversation, ForkPoint, ParentLink } from '../domain/conversation.ts'
import type { Decision } from '../domain/decision.ts'
import type { DigestRecord } from '../domain/digest-record.ts'
import type { EngineEvent } from '../domain/event.ts'
import type { FactTrust, MessageFacts } from '../domain/fact.ts'
import type { ConversationId, Seq, TenantId } from '../domain/ids.ts'
import type { Insert } from '../domain/insert.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { Mark, Message } from '../domain/message.ts'
import type { PurgeLine } from '../domain/purge-line.ts'
import type { LeftInContext, NewReceipt, Receipt } from '../domain/receipt.ts'
import type { RequestRecord } from '../domain/request-record.ts'
import type { SealedMessage } from '../domain/sealed-message.ts'
import type { Span } from '../domain/span.ts'
import type { KeptSummary, Summarization, SummaryRecord } from '../domain/summary.ts'
import type { StepRecord, TurnRecord } from '../domain/turn-record.ts'
import type { View } from '../domain/view.ts'
import type { ViewVersion } from '../domain/view-version.ts'
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
import type { Remembered, StepsQuery, TurnsQuery } from './turn-commands.ts'
import type { RestoredView, VersionedView, VersionsQuery, ViewOfQuery } from './view-versions.ts'

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

export interface CommitCommand {
  readonly id: ConversationId
  readonly expectedVersion: number
  readonly changes: ConversationChanges
  readonly at: number
}

/** A field that is left out stays as it is. */
export interface ConversationChanges {
  readonly title?: string | null
  readonly meta?: JsonObject | null
  /** Ascending, each once. */
  readonly pins?: readonly Seq[]
  readonly pinnedTo?: Seq
  readonly compaction?: CompactionControl
  /** Null ends the view of that model. Kept as a version too. */
  readonly view?: { readonly model: string; readonly view: View | null }
  readonly facts?: {
    /** Ascending by place, each once, of messages that are there; one that has a row gets this one. */
    readonly rows: readonly MessageFacts[]
    /** Null leaves the one that is kept: the rows behind it are folded on to it when it is read. */
    readonly ledger: Ledger | null
  }
  /** The view is one that was in force before. */
  readonly restored?: RestoredView
  /** A person has written the summary that the view shows. */
  readonly edited?: { readonly model: string; readonly record: SummaryRecord }
  readonly summarized?: Summarized
  readonly digested?: Digested
  readonly remembered?: Remembered
  /** Where models were asked, and nothing of what they said is kept. */
  readonly asking?: AskState
  readonly receipt?: {
    readonly receipt: NewReceipt
    /** Kept until there is hindsight. */
    readonly left: LeftInContext
    /** Hindsight is due with so many recorded requests; null where nobody waits for it. */
    readonly due: number | null
  }
}

/** Models were asked for a summary. */
export interface Summarized {
  /** Null where none came of it. */
  readonly record: SummaryRecord | null
  readonly summarization: Summarization
  /** The model of the chat, and why it was compacted. */
  readonly model: string
  readonly decision: Decision
  /** What the request has with it; null where nothing has changed. */
  readonly tokensAfter: number | null
  readonly asking: AskState
}

/** Models were asked to tell a message that is too large to be shown. */
export interface Digested {
  readonly seq: Seq
  /** One that there is gives way to it; null where none came of it. */
  readonly record: DigestRecord | null
  readonly calls: number
  /** Null where any of the calls has no known cost. */
  readonly costUsd: number | null
  readonly asking: AskState
}

export type CommitOutcome =
  | { readonly kind: 'committed'; readonly conversation: Conversation }
  | { readonly kind: 'version-moved'; readonly version: number }
  | { readonly kind: 'not-found' }

export interface StateQuery {
  readonly id: ConversationId
  /** The card's id. */
  readonly model: string
  /** A version: where the conversation still has it, the view is not read again. */
  readonly seenVersion?: number | undefined
}

export interface ConversationState {
  readonly conversation: Conversation
  /** No other conversation of the store has it or had it, also none of the same id before. */
  readonly serial: number
  /** What stands below is of the model that was asked for, up to the newest request. */
  readonly view: View | null
  /** The version is the one that was seen: the view is what it was then, and null here. */
  readonly seen: boolean
  /** What was recalled in the epoch of that view, ascending by place. */
  readonly inserts: readonly Insert[]
  readonly calibration: Calibration | null
  /** The newest request, among those that are kept. */
  readonly last: RequestRecord | null
  /** What is remembered of asking models; null as long as none was asked. */
  readonly asking: AskState | null
  /** How many requests were recorded, of all models, also those that are not kept. */
  readonly recorded: number
  /** With so many recorded requests the next hindsight is due; null where none is waited for. */
  readonly hindsightDue: number | null
}

export interface RecordCommand {
  readonly id: ConversationId
  readonly request?: RequestRecord
  readonly calibration?: { readonly model: string; readonly calibration: Calibration }
  /** What was recalled for messages: the first for each stays, and that for another at its place goes. */
  readonly recalled?: { readonly model: string; readonly inserts: readonly Insert[] }
  /** What a program has expanded: noted with every receipt that waits for hindsight. */
  readonly expanded?: Span
}

export type RecordOutcome = { readonly kind: 'recorded' } | { readonly kind: 'not-found' }

export interface RequestsQuery {
  readonly id: ConversationId
  readonly limit: number
}

export interface FactsQuery {
  readonly id: ConversationId
  readonly span: Span
  readonly newestFirst?: boolean
  /** Only rows of this trust. */
  readonly trust?: FactTrust
  /** How many rows at most, from whichever end comes first. */
  readonly limit?: number
}

export interface LedgerQuery {
  readonly id: ConversationId
}

export interface SummariesQuery {
  readonly id: ConversationId
  readonly limit: number
  /** So many of the newest are left out. */
  readonly skip: number
}

export interface SummaryBeforeQuery {
  readonly id: ConversationId
  readonly place: Seq
}

export interface DigestsQuery {
  readonly id: ConversationId
  readonly span: Span
}

/**
 * How much derived state a conversation keeps; the oldest makes room.
 *
 * @example
 * const rows = receipts.slice(-kept.receipts)
 */
export const kept = {
  /** Of the models whose views were committed last. */
  views: 8,
  /** Of all models together. */
  requests: 100,
  /** Of the models whose calibrations were recorded last. */
  calibrations: 8,
  receipts: 200,
  /** Of all models and epochs together. */
  inserts: 200,
  /** Views that were in force, of all models together. */
  versions: 200,
  /** Different spans that are noted with a receipt; those that come later are not. */
  expansions: 100,
} as const

export interface EventsQuery {
  readonly id: ConversationId
  /** Events with a greater number than this, in order. */
  readonly after: number
  readonly limit: number
}
