/** Renders the current view for this request and decides whether it stays. */
import { addSizes, noSize } from '../../domain/context.ts'
import type { Decision, RenewCause } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { breakerState } from '../../domain/model-calls.ts'
import type { Policy } from '../../domain/policy.ts'
import { isSpoken } from '../../domain/turn.ts'
import type { Insert, View } from '../../domain/view.ts'
import { showsSummary } from '../history/styled-summary.ts'
import { changedBasis } from '../project/basis.ts'
import { degrade } from '../project/fixed-parts.ts'
import {
  type Candidate,
  type ContextInputs,
  type Evaluation,
  type FixedParts,
  noChanges,
  type RenderedRequest,
} from '../project/records.ts'
import {
  mergeNextMessage,
  nextMessages,
  readViewMessages,
  renderSelected,
  renderView,
} from '../project/render-view.ts'
import { digestedFrom, undigested } from '../stub/giants.ts'
import type { SummaryWriter } from '../summarize/summary-writer.ts'
import { decide, decideRenewal, neverCompacted, type Unviewed } from './decide.ts'

export async function evaluateView(input: ContextInputs, fixed: FixedParts): Promise<Evaluation> {
  const { log, lastRequest, coveredTo } = input
  const view = input.view ?? impliedFullView(input)
  const state = lastRequest?.triggers ?? neverCompacted
  const decideInput = { ...input, plan: fixed.plan, head: log.head, state }
  const renew = async (cause: RenewCause): Promise<Evaluation> => {
    const isUnviewed = input.policy.fill === 'recent' && input.view === null
    const unviewed = isUnviewed ? await measureUnviewed(input, fixed, state.compactedAt) : null
    const decision = decideRenewal(decideInput, cause, unviewed)
    const isWaiting = await awaitsSummary(input, decision, input.view?.line ?? 0)
    return {
      decision: isWaiting ? { ...decision, kind: 'renew', reason: cause } : decision,
      inForce: null,
      keepsView: false,
      pending: isWaiting ? decision : null,
    }
  }
  if (view === null && lastRequest === null) return renew('first')
  if (view === null)
    return renew(lastRequest?.prefix.rewrites === log.rewrites ? 'forgotten' : 'history-changed')
  const changed = showsAll(view) ? null : changedBasis(view, input.basis)
  if (changed !== null) return renew(changed)
  // The extension now describes messages that the view still shows.
  if (view.line < coveredTo) return renew('remembered')
  const allMessages = [...(await readViewMessages(log, view)), ...nextMessages(input)]
  const { selected, messages } = mergeNextMessage(view, allMessages)
  const degraded = degrade(input, fixed, view.degraded)
  const renderWith = (inserts: readonly Insert[]) =>
    renderView({ ...degraded.input, inserts }, degraded.fixed, selected, messages)
  const shown = renderWith(input.inserts)
  if (await hasNewDigest(input, view, shown)) return renew('digested')
  const opensTurn = (message: Message) => message.seq >= state.compactedAt && isSpoken(message)
  const turnsSince = allMessages.filter(opensTurn).length
  const decided = decide({ ...decideInput, view, size: shown.size, turnsSince })
  const isWaiting = await awaitsSummary(input, decided, view.line)
  const decision: Decision = isWaiting
    ? { ...decided, kind: 'continue', reason: 'summary-pending' }
    : decided
  const keepsView = decision.kind === 'continue' || decision.shadow
  const current = { shown, view: input.view, epoch: view.epoch, epochCause: null }
  const inForce = { ...noChanges, ...current, renderWith: input.view && renderWith }
  return { decision, inForce, keepsView, pending: isWaiting ? decided : null }
}

/** Whether a model has written the digest of a long message that the view shows without it. */
async function hasNewDigest(
  { policy, meter, mode, suspended, writer, log, derived }: ContextInputs,
  { stubs }: View,
  { rendered }: RenderedRequest,
): Promise<boolean> {
  const fromTokens = digestedFrom(policy, meter)
  if (fromTokens === null || writer === null || mode !== 'on' || suspended) return false
  const messages = rendered.map(({ message, size }) => ({ seq: message.seq, tokens: size.tokens }))
  const waiting = undigested(messages, stubs, fromTokens).filter((seq) => !log.pins.includes(seq))
  const [from] = waiting
  if (from === undefined) return false
  const digests = await derived.digests({ from, to: log.head })
  return digests.some(({ seq }) => waiting.includes(seq))
}

/**
 * With `fill: 'recent'` only a compaction moves the line, also for messages without a view: they
 * are measured as a view would show them, so that the triggers of the policy decide.
 */
async function measureUnviewed(
  input: ContextInputs,
  fixed: FixedParts,
  compactedAt: Seq,
): Promise<Unviewed> {
  const { coveredTo, meter } = input
  const kept = await lineToKeep(input)
  const line = Math.max(kept.line, coveredTo)
  // Loaded by such a policy only: most requests keep their view.
  const { candidatesAfter, loadCandidates } = await import('../select/load-candidates.ts')
  const loaded = candidatesAfter(await loadCandidates(input, fixed), line)
  const { size } = renderSelected(input, fixed, loaded, { ...fullView, line })
  const summarySize = kept.summary === null ? noSize : meter.systemSize(kept.summary.text)
  const opensTurn = ({ message }: Candidate) => message.seq >= compactedAt && isSpoken(message)
  return {
    size: addSizes([size, summarySize]),
    turnsSince: loaded.candidates.filter(opensTurn).length,
    view: { line, beganTokens: 0 },
    coveredTo,
  }
}

/** The line that a renewed view keeps, and the summary at which it starts if there was no view. */
export async function lineToKeep({ view, basis, derived, log, styles }: ContextInputs) {
  const isVoid = view !== null && changedBasis(view, basis) === 'history-changed'
  if (view !== null) return { line: isVoid ? 0 : view.line, summary: null }
  // Starting at the end of the last summary avoids paying for the same messages again.
  const record = await derived.summaryBefore(log.head)
  if (!showsSummary(record, styles)) return { line: 0, summary: null }
  return { line: record.covers.to, summary: record }
}

/** While every message is shown, no view is stored. If the last request hid some, the view is lost. */
function impliedFullView({ lastRequest, basis }: ContextInputs): View | null {
  if (lastRequest === null || lastRequest.stubbed + lastRequest.leftOut > 0) return null
  const { epoch } = lastRequest
  return { ...fullView, epoch, cause: 'first', basis }
}

/** A request that still fits keeps its view until its background summary is ready. */
async function awaitsSummary(input: ContextInputs, decision: Decision, line: Seq) {
  const { policy, writer } = input
  if (writer === null || policy.run.mode === 'blocking') return false
  if (decision.kind !== 'compact' || decision.shadow || cannotWait(decision)) return false
  // After failed summaries, compact now by rules (no LLM), unless the policy forbids that.
  const isFailed = (writer.state.failedTo ?? 0) > line || isBreakerOpen(writer)
  if (isFailed && policy.onFailure === 'rules') return false
  // A job that found nothing to summarize will not write a summary either.
  const isEmptyJob = (writer.emptyAt ?? 0) > (input.lastRequest?.triggers.compactedAt ?? 0)
  if (isEmptyJob && policy.onFailure !== 'no-change') return false
  return (await summarizedTo(input)) <= line
}

/** Recent model calls have failed, so no model is asked for a while. */
export function isBreakerOpen({ state, clock }: Pick<SummaryWriter, 'state' | 'clock'>): boolean {
  return breakerState(state.breaker, clock.now()) === 'open'
}

/** The end of the newest summary; 0 if there is none. */
export async function summarizedTo({ derived, log }: ContextInputs): Promise<Seq> {
  return (await derived.summaryBefore(log.head))?.covers.to ?? 0
}

export function cannotWait({ kind, reason }: Decision): boolean {
  return kind === 'compact' && urgentReasons.has(reason)
}

const urgentReasons: ReadonlySet<Decision['reason']> = new Set([
  'manual',
  'provider-overflow',
  'emergency',
  'onTrim',
])

/** Whether the request may wait while a model writes a summary. */
export function maySummarizeNow({ run }: Pick<Policy, 'run'>, decision: Decision): boolean {
  return run.mode === 'blocking' || cannotWait(decision)
}

/** Shows every message. It is stored only after an undo, so that no lost view is assumed. */
export const fullView = {
  line: 0,
  keeps: [],
  stubs: [],
  history: null,
  next: null,
  degraded: null,
  // 0 turns off the regrowth guard: this view ends when the request is full.
  beganTokens: 0,
} as const satisfies Partial<View>

/** Such a view stays usable with any basis, because no other view could show more. */
function showsAll({ line, stubs, history, next, degraded }: View): boolean {
  return line === 0 && stubs.length === 0 && history === null && next === null && degraded === null
}
