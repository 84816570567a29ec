/**
 * The engine: from a log and a request to the context that leaves.
 *
 *   append ► measure ► decide ► select ► summarize ► assemble ► persist ► deliver
 *    store   └────── pure ──────┘         model       pure       store     adapter
 *
 * `append` and `persist` are the log's, `deliver` is the adapter's; what lies between
 * is here, for every log alike: one in a store (`conversation/context.ts`), or one that
 * the caller keeps (`fit/fit.ts`).
 */
import type { EpochCause } from './domain/epoch-cause.ts'
import type { Insert } from './domain/insert.ts'
import type { Compacted } from './domain/receipt.ts'
import type { View } from './domain/view.ts'
import { evaluateView } from './flow/decide/evaluate-view.ts'
import { type Described, describeChosen } from './flow/describe/describe-context.ts'
import { beginEpoch } from './flow/epoch/begin-epoch.ts'
import { leastRenewed } from './flow/epoch/summarize.ts'
import { measureFixedParts } from './flow/project/fixed-parts.ts'
import type { ContextInputs, ExtractedFacts, ViewOutcome } from './flow/project/records.ts'
import { withRecalled } from './flow/recall/recall-for-turn.ts'
import { compactedBy } from './flow/receipt/receipt.ts'
import type { SummaryOutcome } from './flow/summarize/summary-writer.ts'

export interface ContextResult extends Described {
  /** The view to keep: another one where an epoch began; null as long as everything is shown. */
  readonly view: View | null
  /** Why an epoch began with this request, if one did. */
  readonly began: EpochCause | null
  /** What was recalled, to keep for the epoch. */
  readonly inserts: readonly Insert[]
  /** What was learned of the messages that went below the line, to keep with it. */
  readonly facts: ExtractedFacts | null
  /** What was done, where an epoch began with a view. */
  readonly compacted: Compacted | null
  /** What came of asking models for a summary, where they were asked. */
  readonly written: SummaryOutcome | null
  /** Somebody else has had a summary written meanwhile: look again. */
  readonly overtaken: boolean
  /** There is something for a model to tell, behind this request. */
  readonly hasMoreToTell: boolean
}

export async function project(input: ContextInputs): Promise<ContextResult> {
  const held = await measureFixedParts(input)
  const { decision, inForce, stays, pending } = await evaluateView(input, held)
  const begun =
    inForce !== null && stays ? inForce : await beginEpoch(input, held, decision, inForce)
  const chosen = await withRecalled(input, held, begun)
  const described = await describeChosen(input, held, chosen, decision)
  const compacted = compactedBy(input, chosen, described)
  const { view, began, inserts, facts, written, overtaken } = chosen
  const hasMoreToTell = pending !== null || leavesUntold(input, chosen)
  return { ...described, view, began, inserts, facts, compacted, written, overtaken, hasMoreToTell }
}

/** An epoch has begun, and rules tell much of what it does not show. */
function leavesUntold(
  { policy, writer, coveredTo }: ContextInputs,
  { view, began }: ViewOutcome,
): boolean {
  if (writer === null || policy.run.mode === 'blocking' || began === null) return false
  return (view?.line ?? 0) - Math.max(view?.past?.written?.to ?? 0, coveredTo) >= leastRenewed
}
