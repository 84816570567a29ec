/**
 * The records that one request passes from stage to stage, in order: read this file first.
 * `npm run -s house` lists them from the signatures of the stages; a law limits them to ten.
 *
 *   ConversationState  derived/state.ts  a conversation as the store's rows describe it
 *   Snapshot         conversation/load-snapshot.ts  the state and the request, for one attempt
 *   ContextInputs    everything that the engine builds a context from
 *   FixedParts       the parts that every selection contains, and the budget that remains
 *   RenderedRequest  a request as it would be sent, with its size
 *   Evaluation       the decision on the current view: keep it or make another
 *   Candidates       the messages that a new view can show
 *   SelectedView     the messages that it shows, and the history block for the others
 *   ViewOutcome      the view that this request is sent with
 *   ContextResult    the context, and the rows to commit with it
 */
import type { Calibration } from '../../domain/calibration.ts'
import type { Context, ContextWarning, Rendered, Size } from '../../domain/context.ts'
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
import type { HistoryBlocks, Insert, StubbedMessage, View } from '../../domain/view.ts'
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
  /** The message that the caller will append next, with the position that it will have. */
  readonly next: Message | null
  /** The blocks of the context extension; null where the policy has no slot for them. */
  readonly extension: ExtensionContent | null
  /** The extension describes the messages before this position; 0 if it describes none. */
  readonly coveredTo: Seq
  readonly view: View | null
  readonly inserts: readonly Insert[]
  /** Null before the first message; `recall-for-turn.ts` checks whether the policy recalls. */
  readonly recaller: Recaller | null
  readonly calibration: Calibration | null
  /** The last request of this model that was sent. */
  readonly lastRequest: RequestRecord | null
  /** An earlier identical request of this model; null if there is none. */
  readonly findRequest: (fingerprint: string) => Promise<RequestRecord | null>
  readonly meter: Meter
  /** About the model of the request. */
  readonly warnings: readonly ContextWarning[]
  readonly policy: Policy
  readonly mode: CompactionMode
  /** The styles of the policy's summarizers, also of those that have no model. */
  readonly styles: readonly SummaryStyle[]
  /** Null if no model writes summaries. */
  readonly writer: SummaryWriter | null
  /** The user undid the last compaction, so no trigger compacts; only an emergency does. */
  readonly suspended: boolean
  /** A compaction that this request makes whatever the triggers say; null if none was asked for. */
  readonly requestedCompaction: AskedCompaction | null
  /** What a view is built for: policy, window, pins, history. A change may start a new epoch. */
  readonly basis: string
  readonly sha256: Sha256
  readonly now: number
}

/** Measured by `fixed-parts.ts` before candidates are loaded; used by every stage that renders or selects. */
export interface FixedParts {
  readonly sizes: ProtectedSizes
  readonly plan: BudgetPlan
  readonly pinned: readonly Message[]
  readonly supplied: SuppliedTexts
  /** Our tools that the request offers; null if it offers none, or the note about them has no room. */
  readonly offered: OfferedTools | null
}

/**
 * From `decide/evaluate-view.ts` if the view stays, otherwise from `epoch/build-view.ts`. Recall
 * adds its insert; the later stages only read it.
 */
export interface ViewOutcome {
  readonly shown: RenderedRequest
  /** Renders the request again with other inserts; null if every message is shown. */
  readonly renderWith: ((inserts: readonly Insert[]) => RenderedRequest) | null
  readonly view: View | null
  readonly epoch: number
  /** Why an epoch started with this request; null if none did. */
  readonly epochCause: EpochCause | null
  /** Recalled for this request, or carried over into the epoch that starts. */
  readonly inserts: readonly Insert[]
  /** Facts of messages that this request extracted; committed with the view. */
  readonly facts: ExtractedFacts | null
  /** The model's summary in the history block, if an epoch started. */
  readonly summary: SummaryRecord | null
  readonly summaryOutcome: SummaryOutcome | null
  /** Another process committed a summary meanwhile, so the engine must load a new snapshot. */
  readonly superseded: boolean
}

/** The fields of `ViewOutcome` for a view that stays as it is. */
export const noChanges = {
  renderWith: null,
  inserts: [],
  facts: null,
  summary: null,
  summaryOutcome: null,
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
  /** For a pin: its size in the pin block, which shows it if its place in the log is hidden. */
  readonly pinSize: Size | null
}

/** Loaded by `select/load-candidates.ts`; read by the selection. */
export interface Candidates {
  /** The newest messages, in order and without a gap. */
  readonly candidates: readonly Candidate[]
  /** The user message that opened the current turn, if it is older than the candidates. */
  readonly task: Candidate | null
  /** The first position that can be shown; the extension describes the messages before it. */
  readonly coveredTo?: Seq
  /** A summary ends here: no older message is a candidate. */
  readonly from?: Seq
  /** Stubs of these messages from earlier views, reused to keep the cached prefix. */
  readonly earlierStubs: readonly StubbedMessage[]
  /** Digests that a model wrote of messages that are too large to show. */
  readonly digests?: ReadonlyMap<Seq, string>
}

export interface SelectedMessages {
  readonly line: Seq
  readonly keeps: readonly Seq[]
  readonly stubs: readonly StubbedMessage[]
  readonly size: Size
}

/** From `render-view.ts`; the stages check whether it fits, `describe/describe-context.ts` reads it. */
export interface RenderedRequest extends Omit<Assembled, 'messages'> {
  readonly rendered: readonly Rendered[]
  readonly size: Size
}

/** From `decide/evaluate-view.ts`; the engine then keeps the view or starts an epoch. */
export interface Evaluation {
  readonly decision: Decision
  /** The current view, rendered; null if there is none that this request can use. */
  readonly inForce: ViewOutcome | null
  readonly keepsView: boolean
  /** The compaction that waits for a background summary; null if none waits. */
  readonly pending: Decision | null
}

/** From `epoch/select-with-history.ts`; `epoch/summarize.ts` may add a summary for `epoch/build-view.ts`. */
export interface SelectedView
  extends Pick<ViewOutcome, 'facts' | 'summary' | 'summaryOutcome' | 'superseded'> {
  /** With the budget that this selection used. */
  readonly fixed: FixedParts
  readonly candidates: Candidates
  readonly selected: SelectedMessages
  readonly shown: RenderedRequest
  readonly degraded: View['degraded']
  /** The history block; null if every message is shown, or the block has no room. */
  readonly history: HistoryBlocks | null
  /** The limit for a summary that a model writes. */
  readonly summaryTokens: number
  /** This selection with a new summary in its history block; null if that does not fit. */
  readonly withSummary: (record: SummaryRecord) => Promise<SelectedView | null>
}

/** From the engine; `conversation/context.ts` commits the changes, `fit/fit-messages.ts` returns them. */
export interface ContextResult {
  readonly context: Context
  readonly sent: RequestRecord
  readonly outcome: ViewOutcome
  /** The figures for the receipt; null if no epoch started, or it has no view. */
  readonly compacted: Compacted | null
  /** A background job should ask a model for a summary after this request. */
  readonly hasMoreToSummarize: boolean
}
