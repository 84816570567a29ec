/** What may change of a conversation in one commit, with its types. */
import type { Decision } from '../domain/decision.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Ledger, MessageFacts } from '../domain/ledger.ts'
import type { AskState } from '../domain/model-calls.ts'
import type { LeftInContext, NewReceipt } from '../domain/receipt.ts'
import type { DigestRecord, Summarization, SummaryRecord } from '../domain/summary.ts'
import type { StepRecord, TurnRecord } from '../domain/turn-memory.ts'
import type { View } from '../domain/view.ts'
import type { ConversationFields } from '../ports/store.ts'

/** A field that is left out stays as it is. */
export interface ConversationChanges extends ConversationFields {
  /** Null ends the view of that model. Kept as a version too. */
  readonly view?: { readonly model: string; readonly view: View | null }
  readonly facts?: {
    /** Ascending by place, each once, of messages that are there; one that has a row gets this one. */
    readonly rows: readonly MessageFacts[]
    /** Null leaves the one that is kept: the rows after it are folded on to it when it is read. */
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
    /** Kept until there is follow-up. */
    readonly left: LeftInContext
    /** Follow-up is due with so many recorded requests; null for no follow-up. */
    readonly due: number | null
  }
}

export interface RestoredView {
  /** The version; null for what was before the first: everything is shown. */
  readonly of: number | null
  /** Ids of summaries that nothing goes on from any more, and of those that it does again. */
  readonly withdrawn: readonly string[]
  readonly returned: readonly string[]
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

/** Models were asked to summarize a message that is too large to be shown. */
export interface Digested {
  readonly seq: Seq
  /** One that there is gives way to it; null where none came of it. */
  readonly record: DigestRecord | null
  readonly calls: number
  /** Null where any of the calls has no known cost. */
  readonly costUsd: number | null
  readonly asking: AskState
}

/** An agent has remembered a turn: the one after the newest that there is. */
export interface Remembered {
  readonly record: TurnRecord
  readonly steps: readonly StepRecord[]
  /** Null where no model was asked. */
  readonly asking: AskState | null
}

export interface ChangeCommand {
  readonly id: ConversationId
  readonly expectedVersion: number
  readonly changes: ConversationChanges
  readonly at: number
}
