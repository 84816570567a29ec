/** Renders the current view for this request and decides whether it stays. */
import type { Decision, RenewCause } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { breakerState } from '../../domain/model-calls.ts'
import type { Policy } from '../../domain/policy.ts'
import { isSpoken } from '../../domain/turn.ts'
import type { Insert, View } from '../../domain/view.ts'
import { changedBasis } from '../project/basis.ts'
import { degrade } from '../project/fixed-parts.ts'
import {
  type ContextInputs,
  type Evaluation,
  type FixedParts,
  noChanges,
} from '../project/records.ts'
import {
  mergeNextMessage,
  nextMessages,
  readViewMessages,
  renderView,
} from '../project/render-view.ts'
import { fullView } from '../project/whole-log.ts'
import type { SummaryWriter } from '../summarize/summary-writer.ts'
import { decide, decideRenewal, neverCompacted } from './decide.ts'

export async function evaluateView(input: ContextInputs, fixed: FixedParts): Promise<Evaluation> {
  const { log, lastRequest, coveredTo } = input
  const view = input.view ?? impliedFullView(input)
  const state = lastRequest?.triggers ?? neverCompacted
  const decideInput = { ...input, plan: fixed.plan, head: log.head, state }
  const isRecent = input.policy.fill === 'recent'
  const renew = async (cause: RenewCause): Promise<Evaluation> => {
    const isUnviewed = isRecent && input.view === null
    const unviewed = isUnviewed
      ? await (await recentOnly()).measureUnviewed(input, fixed, state.compactedAt)
      : null
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
  if (isRecent && (await (await recentOnly()).hasNewDigest(input, view, shown)))
    return renew('digested')
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

/** Loaded by policies that keep only the newest messages. */
const recentOnly = () => import('./evaluate-recent.ts')

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

/** Such a view stays usable with any basis, because no other view could show more. */
function showsAll({ line, stubs, history, next, degraded }: View): boolean {
  return line === 0 && stubs.length === 0 && history === null && next === null && degraded === null
}
