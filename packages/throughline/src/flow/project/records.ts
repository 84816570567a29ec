/**
 * The records of a context, in the order in which the flow makes them: read this file first.
 * `npm run -s house` lists them from the signatures of the stages, and a law keeps them at ten.
 *
 *   ConversationState  derived/state.ts  what the rows of a store say of a conversation
 *   Snapshot         conversation/load-snapshot.ts  the same with the request, for one try
 *   ContextInputs    everything that a context is made from
 *   FixedParts       what is in the request whatever is selected, and the budget that it leaves
 *   RenderedRequest  a request as it would be sent, measured
 *   Evaluation       the decision on the view in force
 *   Candidates       the messages that could be shown
 *   SelectedView     those that are, with the history block for the others
 *   ViewOutcome      the view that the request is sent with
 *   ContextResult    the context, and what is to be committed with it
 */
import type { Calibration } from '../../domain/calibration.ts'
import type { Context, Rendered, Size } from '../../domain/context.ts'
import type { AskedCompaction, CompactionMode } from '../../domain/conversation.ts'
import type { Decision, EpochCause } from '../../domain/decision.ts'
import type { Sha256 } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Ledger, MessageFacts } from '../../domain/ledger.ts'
import type { Message } from '../../domain/message.ts'
import type { Policy } from '../../domain/policy.ts'
import type { OfferedTools } from '../../domain/recall.ts'
import type { Compacted, RequestRecord } from '../../domain/receipt.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import type { Insert, Past, StubbedMessage, View } from '../../domain/view.ts'
import type { ExtensionContent } from '../../ports/context-extension.ts'
import type { SummaryStyle } from '../../ports/summary-style.ts'
import type { Assembled } from '../assemble/assemble.ts'
import type { SuppliedTexts } from '../assemble/fixed-texts.ts'
import type { ContextRequest } from '../check/check-request.ts'
import type { Meter } from '../measure/measure.ts'
import type { BudgetPlan, ProtectedSizes } from '../measure/plan-budget.ts'
import type { DerivedReader, LogReader, Recaller } from '../read/readers.ts'
import type { SummaryOutcome, SummaryWriter } from '../summarize/summary-writer.ts'

/** Made by `conversation/load-snapshot.ts` and by `fit/fit-messages.ts`; read by every stage. */
export interface ContextInputs {
  readonly log: LogReader
  readonly derived: DerivedReader
  readonly request: ContextRequest
  /** The message that would come next, with the place that it would take. */
  readonly next: Message | null
  /** The blocks of the context extension; null where the policy has no slot for them. */
  readonly extension: ExtensionContent | null
  /** Messages before it are described by the extension, and not shown one by one; 0 for none. */
  readonly coveredTo: Seq
  readonly view: View | null
  readonly inserts: readonly Insert[]
  /** Null where nothing is recalled without being asked. */
  readonly recaller: Recaller | null
  readonly calibration: Calibration | null
  readonly last: RequestRecord | null
  /** An earlier request of the model that was the same; null where none is known. */
  readonly findRequest: (fingerprint: string) => Promise<RequestRecord | null>
  readonly meter: Meter
  readonly policy: Policy
  readonly mode: CompactionMode
  /** The styles of the policy's summarizers, whether or not there is a model for them. */
  readonly styles: readonly SummaryStyle[]
  /** Null where no model writes summaries. */
  readonly writer: SummaryWriter | null
  readonly suspended: boolean
  readonly wanted: AskedCompaction | null
  /** What a view is made for; another basis, another epoch. */
  readonly basis: string
  readonly sha256: Sha256
  readonly now: number
}

/** Made by `fixed-parts.ts` before any message of the log is read; whoever renders or selects reads it. */
export interface FixedParts {
  readonly sizes: ProtectedSizes
  readonly plan: BudgetPlan
  readonly pinned: readonly Message[]
  readonly supplied: SuppliedTexts
  /** Tools of ours that the model has; null where it has none, or there is no room to say so. */
  readonly offered: OfferedTools | null
}

/**
 * Made by `decide/evaluate-view.ts` where the view stays, else by `epoch/build-view.ts`; recall
 * adds to it, and the rest of the flow reads it.
 */
export interface ViewOutcome {
  readonly shown: RenderedRequest
  /** The same with these inserts instead of those that it has; null where everything is shown. */
  readonly showWith: ((inserts: readonly Insert[]) => RenderedRequest) | null
  readonly view: View | null
  readonly epoch: number
  /** Why an epoch began with this request, if one did. */
  readonly began: EpochCause | null
  /** What was recalled with this request, or taken over into the epoch that begins. */
  readonly inserts: readonly Insert[]
  /** Facts of messages that had none yet. */
  readonly facts: ExtractedFacts | null
  /** The summary by a model that the past begins with, where an epoch began. */
  readonly summary: SummaryRecord | null
  readonly written: SummaryOutcome | null
  /** Somebody else has had a summary written meanwhile: this is of an old state. */
  readonly superseded: boolean
}

/** Of a view that stays as it is. */
export const nothingNew = {
  showWith: null,
  inserts: [],
  facts: null,
  summary: null,
  written: null,
  superseded: false,
} as const

export interface ExtractedFacts {
  readonly rows: readonly MessageFacts[]
  readonly ledger: Ledger
  readonly redacted: number
}

export interface Candidate {
  readonly message: Message
  readonly size: Size
  /** Of a pin, which is never shortened: what it costs where its place is not shown. */
  readonly pinned: Size | null
}

/** Made by `select/load-candidates.ts`; read by the selection. */
export interface Candidates {
  /** The newest messages, without a gap. */
  readonly candidates: readonly Candidate[]
  /** What opened the running turn, where that lies farther back. */
  readonly task: Candidate | null
  /** The first that could be shown: what is before it is described otherwise; 0 where left out. */
  readonly coveredTo?: Seq
  /** Stubs that were made before, of the same messages. */
  readonly known: readonly StubbedMessage[]
  /** Digests by models of messages that are too large to be shown. */
  readonly digests?: ReadonlyMap<Seq, string>
}

export interface Selected {
  readonly line: Seq
  readonly keeps: readonly Seq[]
  readonly stubs: readonly StubbedMessage[]
  readonly size: Size
}

/**
 * Made by `render-view.ts`; read by whoever asks whether it fits, and by
 * `describe/describe-context.ts`.
 */
export interface RenderedRequest extends Omit<Assembled, 'messages'> {
  readonly rendered: readonly Rendered[]
  readonly size: Size
}

/** Made by `decide/evaluate-view.ts`; read by the engine, which keeps the view or begins an epoch. */
export interface Evaluation {
  readonly decision: Decision
  /** The view in force, rendered; null where none can be used. */
  readonly inForce: ViewOutcome | null
  readonly stays: boolean
  /** The decision that waits for a summary; null where none does. */
  readonly pending: Decision | null
}

/**
 * Made by `epoch/select-with-past.ts`, completed by `epoch/summarize.ts`; read by
 * `epoch/build-view.ts`.
 */
export interface SelectedView
  extends Pick<ViewOutcome, 'facts' | 'summary' | 'written' | 'superseded'> {
  /** With the budget that the selection had. */
  readonly fixed: FixedParts
  readonly candidates: Candidates
  readonly selected: Selected
  readonly shown: RenderedRequest
  readonly degraded: View['degraded']
  /** The history block; null where everything is shown, or there is no room for it. */
  readonly past: Past | null
  /** The most that a summary by a model may have. */
  readonly summaryTokens: number
  /** The same with a summary that has just been written; null where that does not fit. */
  readonly withSummary: (record: SummaryRecord) => Promise<SelectedView | null>
}

/**
 * Made by the engine; read by `conversation/context.ts` and `fit/fit-messages.ts`, which keep
 * what has changed.
 */
export interface ContextResult {
  readonly context: Context
  readonly sent: RequestRecord
  readonly outcome: ViewOutcome
  /** What was done, where an epoch began with a view. */
  readonly compacted: Compacted | null
  /** A model could summarize more, after this request. */
  readonly hasMoreToSummarize: boolean
}
