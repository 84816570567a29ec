/** The typed changes of a conversation in one commit. */
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
  /** Null ends the view of that model. Either is also kept as a version. */
  readonly view?: { readonly model: string; readonly view: View | null }
  readonly facts?: {
    /** Ascending by place, each once; each replaces the row of the same message. */
    readonly rows: readonly MessageFacts[]
    /** Null keeps the stored ledger: newer rows are folded into it when it is read. */
    readonly ledger: Ledger | null
  }
  /** Set where `view` is one that was in force before. */
  readonly restored?: RestoredView
  /** A person has written the summary that the view shows. */
  readonly edited?: { readonly model: string; readonly record: SummaryRecord }
  readonly summarized?: Summarized
  readonly digested?: Digested
  readonly remembered?: Remembered
  /** Set where models were asked, and none of their answers is kept. */
  readonly asking?: AskState
  readonly receipt?: {
    readonly receipt: NewReceipt
    /** Kept until the follow-up is added; null where there will be none. */
    readonly left: LeftInContext | null
    /** The number of recorded requests at which the follow-up is due; null for none. */
    readonly due: number | null
  }
}

export interface RestoredView {
  /** The restored version; null where everything is shown again. */
  readonly of: number | null
  /** Ids of summaries that later ones no longer extend, and of those that they may extend again. */
  readonly withdrawn: readonly string[]
  readonly returned: readonly string[]
}

/** Models were asked for a summary. */
export interface Summarized {
  /** Null where no summary was accepted. */
  readonly record: SummaryRecord | null
  readonly summarization: Summarization
  /** The model of the conversation, and why it was compacted. */
  readonly model: string
  readonly decision: Decision
  /** Tokens of the request with the summary; null where nothing has changed. */
  readonly tokensAfter: number | null
  readonly asking: AskState
}

/** Models were asked to summarize a message that is too large to be shown. */
export interface Digested {
  readonly seq: Seq
  /** Replaces an existing digest; null where none was accepted. */
  readonly record: DigestRecord | null
  readonly calls: number
  /** Null where any of the calls has no known cost. */
  readonly costUsd: number | null
  readonly asking: AskState
}

/** An agent's turn was remembered: the one after the newest record. */
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
