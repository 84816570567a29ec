/**
 * The engine: from a log and a request to the context that is sent.
 *
 *   parse request ► load snapshot ► plan budget ► render the view ► decide
 *     ► (make a view: select ⇄ render history ► summarize) ► recall ► describe ► commit
 *
 * The caller parses, loads and commits: for a log in a store `conversation/context.ts`, for one
 * that the caller keeps `fit/fit-messages.ts`. What lies between is here, the same for every log. The
 * records that pass from stage to stage are in `flow/project/records.ts`.
 */

import { evaluateView } from './flow/decide/evaluate-view.ts'
import { describeContext } from './flow/describe/describe-context.ts'
import { makeView } from './flow/epoch/make-view.ts'
import { minMessagesToSummarize } from './flow/epoch/summarize.ts'
import { measureFixedParts } from './flow/project/fixed-parts.ts'
import type { ContextInputs, ContextResult, ViewOutcome } from './flow/project/records.ts'
import { withRecalled } from './flow/recall/recall-for-turn.ts'
import { describeCompaction } from './flow/receipt/receipt.ts'

export async function buildContext(inputs: ContextInputs): Promise<ContextResult> {
  const fixed = await measureFixedParts(inputs)
  const { decision, inForce, stays, pending } = await evaluateView(inputs, fixed)
  const begun =
    inForce !== null && stays ? inForce : await makeView(inputs, fixed, decision, inForce)
  const outcome = await withRecalled(inputs, fixed, begun)
  const described = await describeContext(inputs, fixed, outcome, decision)
  const compacted = describeCompaction(inputs, outcome, described)
  const hasMoreToSummarize = pending !== null || leavesToSummarize(inputs, outcome)
  return { ...described, outcome, compacted, hasMoreToSummarize }
}

/** An epoch has begun, and rules describe much of what it does not show. */
function leavesToSummarize(
  { policy, writer, coveredTo }: ContextInputs,
  { view, epochCause }: ViewOutcome,
): boolean {
  if (writer === null || policy.run.mode === 'blocking' || epochCause === null) return false
  return (
    (view?.line ?? 0) - Math.max(view?.past?.written?.to ?? 0, coveredTo) >= minMessagesToSummarize
  )
}
