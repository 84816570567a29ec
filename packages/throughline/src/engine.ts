/**
 * The engine: builds the context of a request from a log.
 *
 *   parse request ► load snapshot ► plan budget ► evaluate the view
 *     ► (make a view: select ► render history ► summarize ► build) ► recall ► describe ► receipt ► commit
 *
 * The caller parses, loads and commits: `conversation/context.ts` for a log in a store,
 * `fit/fit-messages.ts` for messages that the program stores. The stages between are here. The
 * records that pass from stage to stage are in `flow/project/records.ts`.
 */
import { evaluateView } from './flow/decide/evaluate-view.ts'
import { describeContext } from './flow/describe/describe-context.ts'
import type { makeView } from './flow/epoch/make-view.ts'
import { measureFixedParts } from './flow/project/fixed-parts.ts'
import type { ContextInputs, ContextResult, ViewOutcome } from './flow/project/records.ts'
import { minMessagesToSummarize } from './flow/project/summary-outcome.ts'
import { wholeFirstView } from './flow/project/whole-log.ts'
import type { withRecalled } from './flow/recall/recall-for-turn.ts'
import type { describeCompaction } from './flow/receipt/receipt.ts'

export async function buildContext(inputs: ContextInputs): Promise<ContextResult> {
  const fixed = await measureFixedParts(inputs)
  const { decision, inForce, keepsView, pending } = await evaluateView(inputs, fixed)
  const chosen =
    inForce !== null && keepsView ? inForce : await makeNextView(inputs, fixed, decision, inForce)
  const outcome = await addRecalled(inputs, fixed, chosen)
  const described = await describeContext(inputs, fixed, outcome, decision)
  const compacted = await compactionOf(inputs, outcome, described)
  const hasMoreToSummarize = pending !== null || needsBackgroundSummary(inputs, outcome)
  return { ...described, outcome, compacted, hasMoreToSummarize }
}

// Loaded by the first request that needs them: most processes begin with a view that continues, and
// conversations that fit need none.
const makeNextView: typeof makeView = async (...all) =>
  (await wholeFirstView(all[0], all[1], all[2])) ??
  (await import('./flow/epoch/make-view.ts')).makeView(...all)

const addRecalled: typeof withRecalled = async (inputs, fixed, chosen) =>
  chosen.view === null
    ? chosen
    : (await import('./flow/recall/recall-for-turn.ts')).withRecalled(inputs, fixed, chosen)

const compactionOf = async (...all: Parameters<typeof describeCompaction>) =>
  all[1].epochCause === null
    ? null
    : (await import('./flow/receipt/receipt.ts')).describeCompaction(...all)

/** Whether an epoch began in which rules, not a model, describe many of the hidden messages. */
function needsBackgroundSummary(
  { policy, writer, coveredTo }: ContextInputs,
  { view, epochCause }: ViewOutcome,
): boolean {
  if (writer === null || policy.run.mode === 'blocking' || epochCause === null) return false
  const summarizedTo = Math.max(view?.history?.written?.to ?? 0, coveredTo)
  return (view?.line ?? 0) - summarizedTo >= minMessagesToSummarize
}
