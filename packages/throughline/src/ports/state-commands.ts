/** What a request is made from and leaves behind: state, records of requests, facts, summaries. */
import type { AskState } from '../domain/asking.ts'
import type { Calibration } from '../domain/calibration.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { FactTrust } from '../domain/fact.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Insert } from '../domain/insert.ts'
import type { RequestRecord } from '../domain/request-record.ts'
import type { Span } from '../domain/span.ts'
import type { View } from '../domain/view.ts'

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
