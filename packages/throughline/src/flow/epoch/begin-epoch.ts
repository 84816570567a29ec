/**
 * The beginning of an epoch: the newest messages are looked at and selected from. It
 * depends on the log and the budget, so that whoever asks gets the same; of the view
 * before, only the task of a turn that began long ago is taken over.
 */

import type { Decision } from '../../domain/decision.ts'
import type { EpochCause } from '../../domain/epoch-cause.ts'
import type { Seq } from '../../domain/ids.ts'
import type { View } from '../../domain/view.ts'
import type { RenderedRequest } from '../assemble/render.ts'
import { causeOf } from '../decide/decide.ts'
import { cannotWait, readyTo } from '../decide/evaluate-view.ts'
import { isShown } from '../past/written-past.ts'
import { changedBasis } from '../project/basis.ts'
import { untilItFits, untilItFitsAgain } from '../project/fixed-parts.ts'
import type { Candidate } from '../project/records.ts'
import {
  type ContextInputs,
  type FixedParts,
  nothingNew,
  type ViewOutcome,
} from '../project/records.ts'
import { renderSelected } from '../project/render-view.ts'
import { openQuestion } from '../recall/recall-for-turn.ts'
import { candidatesFrom, loadCandidates } from '../select/load-candidates.ts'
import { allFrom, newView, startAfterCovered, viewThatStays, withInsertsOf } from './build-view.ts'
import { type SelectedWithPast, selectWithRecallRoom } from './select-with-past.ts'
import { hasFailed, type Summarized, summarize } from './summarize.ts'

export async function beginEpoch(
  input: ContextInputs,
  measured: FixedParts,
  decision: Decision,
  /** What the view in force shows; null where there is none. */
  inForce: ViewOutcome | null,
): Promise<ViewOutcome> {
  const cause = causeOf(decision)
  const ready = await readyLine(input, decision)
  const byPolicy = await withFill(input, decision, ready)
  const isReady = ready > 0 && byPolicy.policy.fill === 'recent'
  const roomy = isReady ? untilItFits(measured) : roomFor(input, measured, decision)
  const considered = candidatesFrom(await loadCandidates(byPolicy, roomy, 1), ready)
  const everything = showEverything(byPolicy, roomy, considered.candidates, decision)
  if (everything !== null && input.coveredTo > 0)
    return startAfterCovered(byPolicy, roomy, considered, cause)
  if (everything !== null) return withoutView(input, everything, cause)
  const question = await openQuestion(byPolicy)
  const carried = withInsertsOf(byPolicy, question)
  const { held, selection } = await selectWithRecallRoom(carried, roomy, considered, question)
  if (input.view === null && isAll(selection)) return withoutView(input, selection.shown, cause)
  const summarized = await summarize(carried, held, decision, selection, inForce)
  if (isUnsummarized(carried, decision, summarized)) {
    const { written, overtaken } = summarized
    if (canStay(inForce, decision, held)) return { ...inForce, written, overtaken }
    // The window asks for more room, and without a summary only what must go is to go.
    if (byPolicy.policy.fill === 'recent')
      return { ...(await beginEpoch(input, measured, trimmed(decision), inForce)), written }
  }
  return (
    viewThatStays(carried, held, summarized, input.inserts) ??
    newView(carried, held, summarized, { cause, isReady })
  )
}

/** Everything is shown: there is no line, and nothing to keep. */
function withoutView(
  { view, last }: ContextInputs,
  shown: RenderedRequest,
  cause: EpochCause,
): ViewOutcome {
  const shows = { ...nothingNew, shown, view: null }
  return view === null
    ? { ...shows, epoch: last?.epoch ?? 1, began: null }
    : { ...shows, epoch: view.epoch + 1, began: cause }
}

function trimmed(decision: Decision): Decision {
  return { ...decision, kind: 'trim' }
}

function roomFor({ policy }: ContextInputs, held: FixedParts, { kind }: Decision): FixedParts {
  return kind === 'trim' && policy.fill === 'recent' ? untilItFitsAgain(held) : held
}

/** A compaction without a summary of what would leave, by a policy that makes none without. */
function isUnsummarized(
  { policy, writer, coveredTo }: ContextInputs,
  { kind }: Decision,
  { selection, written, overtaken }: Summarized,
): boolean {
  if (policy.onFailure !== 'no-change' || writer === null || kind !== 'compact' || overtaken)
    return false
  if (written !== null) return hasFailed(written)
  return Math.max(selection.summary?.covers.to ?? 0, coveredTo) < selection.selected.line
}

function isAll({ selected, squeezed }: SelectedWithPast): boolean {
  return selected.line === 0 && selected.stubs.length === 0 && squeezed === null
}

/** As it is, and though nothing was gained. */
function canStay(
  inForce: ViewOutcome | null,
  { reason }: Decision,
  { plan }: FixedParts,
): inForce is ViewOutcome {
  const fits = inForce !== null && plan.hard(inForce.shown.size) <= plan.hardTokens
  return fits && reason !== 'provider-overflow'
}

function showEverything(
  input: ContextInputs,
  held: FixedParts,
  candidates: readonly Candidate[],
  { kind }: Decision,
): RenderedRequest | null {
  // Only what keeps the line that there is makes it less than it was.
  if (
    input.policy.fill === 'recent' &&
    (kind === 'compact' || (input.view?.line ?? 0) > input.coveredTo)
  )
    return null
  const { coveredTo } = input
  const first = candidates[0]?.message.seq ?? coveredTo
  if (first > coveredTo) return null
  const { plan } = held
  const { triggerTokens, targetTokens } = plan.budget
  // Who compacts goes down to the target; otherwise there is no need before the trigger.
  const mostTokens = kind === 'compact' ? targetTokens : triggerTokens
  const wholeTokens = candidates.reduce((sum, { size }) => sum + size.tokens, 0)
  if (wholeTokens > mostTokens) return null
  const shown = renderSelected(
    input,
    held,
    { candidates, task: null, known: [] },
    allFrom(coveredTo),
  )
  const fits = plan.hard(shown.size) <= plan.hardTokens
  return fits && shown.size.tokens <= mostTokens ? shown : null
}

/**
 * Policies that keep only the newest messages do so when they compact. Where only what must
 * go is to go, they are like others; and what is made anew for another reason keeps its line,
 * or begins where the last summary ends: of a fork, or for another model.
 */
async function withFill(
  input: ContextInputs,
  { kind }: Decision,
  ready: Seq,
): Promise<ContextInputs> {
  const { policy, view, log } = input
  if (policy.fill === 'target' || (kind === 'compact' && ready === 0)) return input
  if (kind === 'compact')
    return { ...input, policy: { ...policy, keepRecent: { messages: log.head - ready } } }
  if (kind === 'trim') return { ...input, policy: { ...policy, fill: 'target' } }
  const line = view === null ? await summarizedTo(input) : keptLine(view, input)
  return { ...input, policy: { ...policy, keepRecent: { messages: Math.max(2, log.head - line) } } }
}

/** Where a summary was waited for, the epoch begins where that ends; 0 where none was. */
export async function readyLine(input: ContextInputs, decision: Decision): Promise<Seq> {
  const { policy, writer, view, log, coveredTo } = input
  if (writer === null || policy.run.mode === 'blocking') return 0
  if (decision.kind !== 'compact' || cannotWait(decision)) return 0
  const to = await readyTo(input)
  return to > Math.max(view?.line ?? 0, coveredTo) && to < log.head - 1 ? to : 0
}

/** What models have told already is not told again. */
async function summarizedTo({ past, log, styles }: ContextInputs): Promise<Seq> {
  const record = await past.summaryBefore(log.head)
  return isShown(record, styles) ? record.covers.to : 0
}

function keptLine(view: View, { basis }: ContextInputs): Seq {
  return changedBasis(view, basis) === 'history-changed' ? 0 : view.line
}
