/**
 * Makes the next view, or none if every message fits. The result depends only on the log, the
 * budget and committed rows, so every process makes the same view.
 */
import { addSizes } from '../../domain/context.ts'
import type { Decision } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import { epochCauseOf } from '../decide/decide.ts'
import { lineToKeep } from '../decide/evaluate-recent.ts'
import { cannotWait, summarizedTo } from '../decide/evaluate-view.ts'
import { hidesNothing } from '../history/render-history.ts'
import { withTarget, withTriggerAtLimit, withTrimTarget } from '../project/fixed-parts.ts'
import type {
  Candidates,
  ContextInputs,
  FixedParts,
  SelectedView,
  ViewOutcome,
} from '../project/records.ts'
import { hasFailed } from '../project/summary-outcome.ts'
import { renderWhole, showEverything } from '../project/whole-log.ts'
import { openQuestion } from '../recall/recall-for-turn.ts'
import { candidatesAfter, loadCandidates } from '../select/load-candidates.ts'
import { digestedFrom } from '../stub/giants.ts'
import { buildView, buildViewAfterCovered } from './build-view.ts'
import { selectWithRecallRoom } from './select-with-history.ts'
import { summarize } from './summarize.ts'

export async function makeView(
  inputs: ContextInputs,
  fixed: FixedParts,
  decision: Decision,
  /** The current view, rendered; null if there is none. */
  inForce: ViewOutcome | null,
): Promise<ViewOutcome> {
  const cause = epochCauseOf(decision)
  const summaryEnd = await readySummaryEnd(inputs, decision)
  const policy = await epochPolicy(inputs, decision, summaryEnd)
  const isRecent = inputs.policy.fill === 'recent'
  // The new view starts where the summary ends that the compaction waited for.
  const startsAtSummary = summaryEnd > 0 && isRecent
  const isTrim = decision.kind === 'trim' && isRecent
  const trimmed = isTrim ? withTrimTarget(fixed) : fixed
  // Only a compaction moves the line, so a renewed view has everything that fits.
  const isFilled = startsAtSummary || (decision.kind === 'renew' && isRecent)
  const planned = isFilled ? withTriggerAtLimit(fixed) : trimmed
  const loaded = await loadCandidates({ ...inputs, policy }, planned)
  // The presets of published designs do not share the room by kind, and keep the target they state.
  const isByShare = !isRecent && policy.trim.order === 'share'
  const adjusted = isByShare ? withRoomToGrow(planned, loaded) : planned
  const candidates = candidatesAfter(
    loaded,
    Math.max(summaryEnd, shownSummaryEnd(inputs, decision)),
  )
  const question = await openQuestion(inputs)
  // A turn that continues keeps its insert for a while; a new question gets its own.
  const carriedInserts =
    question === null
      ? inputs.inserts.slice(-1).filter(({ before }) => before >= inputs.log.head - maxCarried)
      : []
  const epochInputs = { ...inputs, policy, inserts: carriedInserts }
  // An unchanged view keeps its inserts; if every message is shown, nothing is recalled.
  const inserts = inputs.coveredTo > 0 ? inputs.inserts : []
  // A first view starts where the last summary ends, also if all messages would fit.
  const mayStartAtSummary = isRecent && decision.kind === 'renew'
  const isSummarized = mayStartAtSummary && (await lineToKeep(inputs)).line > inputs.coveredTo
  // Against the policy's own target: a short conversation that grows fast needs no compaction.
  const whole =
    isSummarized || showsDigest(inputs, candidates)
      ? null
      : renderWhole({ ...epochInputs, inserts }, planned, candidates, decision)
  if (whole !== null && inputs.coveredTo > 0)
    return buildViewAfterCovered(epochInputs, adjusted, candidates, { cause, inserts })
  if (whole !== null) return showEverything(inputs, whole, cause)
  const selection = await selectWithRecallRoom(epochInputs, adjusted, candidates, question)
  const { selected, degraded } = selection
  const isWhole = hidesNothing(selected) && degraded === null
  if (inputs.view === null && isWhole) return showEverything(inputs, selection.shown, cause)
  const summarized = await summarize(epochInputs, selection, decision, inForce)
  const { summaryOutcome, superseded } = summarized
  const isUnsummarized = lacksSummary(epochInputs, decision, summarized)
  if (isUnsummarized && canStay(inForce, decision, summarized.fixed))
    return { ...inForce, summaryOutcome, superseded }
  // Without a summary, hide only as many messages as necessary, and none if all of them fit.
  if (isUnsummarized && isRecent) {
    const without: Decision =
      inForce === null && !cannotWait(decision)
        ? { ...decision, kind: 'renew', reason: 'first' }
        : { ...decision, kind: 'trim' }
    return { ...(await makeView(inputs, fixed, without, inForce)), summaryOutcome }
  }
  return buildView(epochInputs, summarized, { cause, startsAtSummary, inserts: inputs.inserts })
}

/** Lowers the target of a conversation that grows so fast that the next compaction would be near. */
function withRoomToGrow(fixed: FixedParts, { candidates }: Candidates): FixedParts {
  const { budget, protectedTokens, freeTokens, limitTokens, tokensAgainstLimit } = fixed.plan
  const newest = candidates.slice(-growthMessages)
  const size = addSizes(newest.map((candidate) => candidate.size))
  const requests = newest.filter(({ message }) => message.role === 'assistant').length
  const growth = size.tokens / Math.max(1, requests)
  // Where the JSON is bounded, a request is full at fewer tokens.
  const fullTokens = (limitTokens * size.tokens) / Math.max(1, tokensAgainstLimit(size))
  const startTokens = Math.min(budget.triggerTokens, fullTokens) - growth * requestsPerEpoch
  const wantedTokens =
    protectedTokens +
    Math.max(freeTokens * minTargetShare, (startTokens - protectedTokens) / maxStartOfTarget)
  return wantedTokens < budget.targetTokens ? withTarget(fixed, wantedTokens) : fixed
}

/** After so many messages of work, the text that was recalled for its question has been used. */
const maxCarried = 40
const growthMessages = 16
const requestsPerEpoch = 4
/** An epoch may begin so far above its target: the user's words, a long task and the newest result stay. */
const maxStartOfTarget = 1.2
/** However fast a conversation grows, its newest messages and its history need some room. */
const minTargetShare = 0.27

/** Whether a model has written the digest of a message that is shown as its digest, although it may fit. */
function showsDigest({ policy, meter }: ContextInputs, { candidates, digests }: Candidates) {
  const fromTokens = digestedFrom(policy, meter)
  return candidates.some(
    ({ message, size }) =>
      fromTokens !== null && size.tokens > fromTokens && digests?.has(message.seq),
  )
}

/** Whether the policy forbids a compaction without a summary, and this one has none. */
function lacksSummary(
  { policy, writer, coveredTo }: ContextInputs,
  { kind }: Decision,
  { selected, summary, summaryOutcome, superseded }: SelectedView,
): boolean {
  if (policy.onFailure !== 'no-change' || writer === null || kind !== 'compact' || superseded)
    return false
  if (summaryOutcome !== null) return hasFailed({ summaryOutcome })
  return Math.max(summary?.covers.to ?? 0, coveredTo) < selected.line
}

function canStay(
  inForce: ViewOutcome | null,
  { reason }: Decision,
  { plan }: FixedParts,
): inForce is ViewOutcome {
  const fits = inForce !== null && plan.tokensAgainstLimit(inForce.shown.size) <= plan.limitTokens
  return fits && reason !== 'provider-overflow'
}

/**
 * With `fill: 'recent'`, only a compaction moves the line. A view that is renewed for another
 * reason keeps its line, or starts where the last summary ends.
 */
async function epochPolicy(
  inputs: ContextInputs,
  { kind }: Decision,
  summaryEnd: Seq,
): Promise<ContextInputs['policy']> {
  const { policy, log } = inputs
  if (policy.fill === 'target' || (kind === 'compact' && summaryEnd === 0)) return policy
  if (kind === 'compact') return { ...policy, keepRecent: { messages: log.head - summaryEnd } }
  if (kind === 'trim') return { ...policy, fill: 'target' }
  const { line } = await lineToKeep(inputs)
  return { ...policy, keepRecent: { messages: Math.max(2, log.head - line) } }
}

/**
 * Where the summary ends that the current view shows. A compaction that showed earlier messages would
 * lose the summary, and would pay for another one of the same messages.
 */
function shownSummaryEnd({ view, policy, log }: ContextInputs, { kind }: Decision): Seq {
  const to = view?.history?.written?.to ?? 0
  return kind === 'compact' && policy.fill === 'target' && to < log.head - 1 ? to : 0
}

/** Where the background summary ends that the compaction waited for; 0 if it did not wait for one. */
export async function readySummaryEnd(inputs: ContextInputs, decision: Decision): Promise<Seq> {
  const { policy, writer, view, log, coveredTo } = inputs
  if (writer === null || policy.run.mode === 'blocking') return 0
  if (decision.kind !== 'compact' || cannotWait(decision)) return 0
  const to = await summarizedTo(inputs)
  return to > Math.max(view?.line ?? 0, coveredTo) && to < log.head - 1 ? to : 0
}
