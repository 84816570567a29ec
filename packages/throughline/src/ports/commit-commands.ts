/** What is committed of derived state: a view with its facts, summary and receipt, pins, names, turns. */
import type { AskState } from '../domain/asking.ts'
import type { CompactionControl } from '../domain/compaction.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { Decision } from '../domain/decision.ts'
import type { DigestRecord } from '../domain/digest-record.ts'
import type { MessageFacts } from '../domain/fact.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { LeftInContext, NewReceipt } from '../domain/receipt.ts'
import type { Summarization, SummaryRecord } from '../domain/summary.ts'
import type { View } from '../domain/view.ts'
import type { Remembered } from './turn-commands.ts'
import type { RestoredView } from './view-versions.ts'

export interface CommitCommand {
  readonly id: ConversationId
  readonly expectedVersion: number
  readonly changes: ConversationChanges
  readonly at: number
}

/** A field that is left out stays as it is. */
export interface ConversationChanges {
  readonly title?: string | null
  /** With a title: the message that it was made from. Left out or null, the title is the caller's. */
  readonly titleFrom?: Seq | null
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
  /** The model of the conversation, and why it was compacted. */
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
