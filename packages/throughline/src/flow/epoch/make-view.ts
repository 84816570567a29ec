/**
 * Makes the next view, or none where every message fits. It depends on the log, the budget and what
 * earlier views have committed, so every process makes the same.
 */
import type { Decision, EpochCause } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import { causeOf } from '../decide/decide.ts'
import { cannotWait, everything, readyTo } from '../decide/evaluate-view.ts'
import { isShown } from '../past/written-past.ts'
import { changedBasis } from '../project/basis.ts'
import { untilItFits, untilItFitsAgain } from '../project/fixed-parts.ts'
import {
  type Candidates,
  type ContextInputs,
  type FixedParts,
  nothingNew,
  type RenderedRequest,
  type SelectedView,
  type ViewOutcome,
} from '../project/records.ts'
import { renderSelected } from '../project/render-view.ts'
import { openQuestion } from '../recall/recall-for-turn.ts'
import { candidatesFrom, loadCandidates } from '../select/load-candidates.ts'
import { buildView, buildViewAfterCovered } from './build-view.ts'
import { selectWithRecallRoom } from './select-with-past.ts'
import { hasFailed, summarize } from './summarize.ts'

export async function makeView(
  inputs: ContextInputs,
  fixed: FixedParts,
  decision: Decision,
  /** What the view in force shows; null where there is none. */
  inForce: ViewOutcome | null,
): Promise<ViewOutcome> {
  const cause = causeOf(decision)
  const ready = await readyLine(inputs, decision)
  const policy = await epochPolicy(inputs, decision, ready)
  const isRecent = inputs.policy.fill === 'recent'
  // It begins where a summary ends that was waited for.
  const isReady = ready > 0 && isRecent
  const fitted = decision.kind === 'trim' && isRecent ? untilItFitsAgain(fixed) : fixed
  const room = isReady ? untilItFits(fixed) : fitted
  const candidates = candidatesFrom(await loadCandidates({ ...inputs, policy }, room, 1), ready)
  const question = await openQuestion(inputs)
  // What was recalled for a turn that goes on is taken over; a new question has its own.
  const epoch = { ...inputs, policy, inserts: question === null ? inputs.inserts.slice(-1) : [] }
  // A view that stays keeps what was recalled; where every message is shown, nothing is recalled.
  const inserts = inputs.coveredTo > 0 ? inputs.inserts : []
  const whole = renderWhole({ ...epoch, inserts }, room, candidates, decision)
  if (whole !== null && inputs.coveredTo > 0)
    return buildViewAfterCovered(epoch, room, candidates, { cause, inserts })
  if (whole !== null) return withoutView(inputs, whole, cause)
  const selection = await selectWithRecallRoom(epoch, room, candidates, question)
  const { selected, degraded } = selection
  const isWhole = selected.line === 0 && selected.stubs.length === 0 && degraded === null
  if (inputs.view === null && isWhole) return withoutView(inputs, selection.shown, cause)
  const summarized = await summarize(epoch, selection, decision, inForce)
  const { written, superseded } = summarized
  const isUnsummarized = lacksSummary(epoch, decision, summarized)
  if (isUnsummarized && canStay(inForce, decision, summarized.fixed))
    return { ...inForce, written, superseded }
  // The window asks for more room, and without a summary only what must go is to go.
  if (isUnsummarized && epoch.policy.fill === 'recent')
    return { ...(await makeView(inputs, fixed, { ...decision, kind: 'trim' }, inForce)), written }
  return buildView(epoch, summarized, { cause, isReady, inserts: inputs.inserts })
}

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

/** A compaction without a summary of what would leave, by a policy that makes none without. */
function lacksSummary(
  { policy, writer, coveredTo }: ContextInputs,
  { kind }: Decision,
  { selected, summary, written, superseded }: SelectedView,
): boolean {
  if (policy.onFailure !== 'no-change' || writer === null || kind !== 'compact' || superseded)
    return false
  if (written !== null) return hasFailed({ written })
  return Math.max(summary?.covers.to ?? 0, coveredTo) < selected.line
}

function canStay(
  inForce: ViewOutcome | null,
  { reason }: Decision,
  { plan }: FixedParts,
): inForce is ViewOutcome {
  const fits = inForce !== null && plan.hard(inForce.shown.size) <= plan.hardTokens
  return fits && reason !== 'provider-overflow'
}

/** Every message that the extension does not describe; null where that is too much. */
function renderWhole(
  inputs: ContextInputs,
  fixed: FixedParts,
  { candidates }: Candidates,
  { kind }: Decision,
): RenderedRequest | null {
  const { policy, view, coveredTo } = inputs
  // Only what keeps the line that there is makes it less than it was.
  if (policy.fill === 'recent' && (kind === 'compact' || (view?.line ?? 0) > coveredTo)) return null
  if ((candidates[0]?.message.seq ?? coveredTo) > coveredTo) return null
  const { plan } = fixed
  const { triggerTokens, targetTokens } = plan.budget
  // Who compacts goes down to the target; otherwise there is no need before the trigger.
  const mostTokens = kind === 'compact' ? targetTokens : triggerTokens
  const wholeTokens = candidates.reduce((sum, { size }) => sum + size.tokens, 0)
  if (wholeTokens > mostTokens) return null
  const all = { candidates, task: null, known: [] }
  const shown = renderSelected(inputs, fixed, all, { ...everything, line: coveredTo })
  const fits = plan.hard(shown.size) <= plan.hardTokens
  return fits && shown.size.tokens <= mostTokens ? shown : null
}

/**
 * Policies of the newest messages apply when they compact. A view renewed for another reason
 * keeps its line,
 * or begins where the last summary ends.
 */
async function epochPolicy(
  inputs: ContextInputs,
  { kind }: Decision,
  ready: Seq,
): Promise<ContextInputs['policy']> {
  const { policy, log } = inputs
  if (policy.fill === 'target' || (kind === 'compact' && ready === 0)) return policy
  if (kind === 'compact') return { ...policy, keepRecent: { messages: log.head - ready } }
  if (kind === 'trim') return { ...policy, fill: 'target' }
  const line = await lineToKeep(inputs)
  return { ...policy, keepRecent: { messages: Math.max(2, log.head - line) } }
}

/** Where a summary was waited for, the epoch begins where that ends; 0 where none was. */
export async function readyLine(inputs: ContextInputs, decision: Decision): Promise<Seq> {
  const { policy, writer, view, log, coveredTo } = inputs
  if (writer === null || policy.run.mode === 'blocking') return 0
  if (decision.kind !== 'compact' || cannotWait(decision)) return 0
  const to = await readyTo(inputs)
  return to > Math.max(view?.line ?? 0, coveredTo) && to < log.head - 1 ? to : 0
}

async function lineToKeep({ view, basis, derived, log, styles }: ContextInputs): Promise<Seq> {
  if (view !== null) return changedBasis(view, basis) === 'history-changed' ? 0 : view.line
  // What models have summarized already is not summarized again.
  const record = await derived.summaryBefore(log.head)
  return isShown(record, styles) ? record.covers.to : 0
}
