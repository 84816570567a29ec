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
  nothingNew,
} from '../project/records.ts'
import { nextOf, readViewMessages, renderView, withNext } from '../project/render-view.ts'
import type { SummaryWriter } from '../summarize/summary-writer.ts'
import { decide, decideRenewal, neverCompacted } from './decide.ts'

export async function evaluateView(input: ContextInputs, fixed: FixedParts): Promise<Evaluation> {
  const { log, last, coveredTo } = input
  const view = input.view ?? viewOfAll(input)
  const state = last?.triggers ?? neverCompacted
  const known = { ...input, plan: fixed.plan, head: log.head, state }
  const anew = async (cause: RenewCause): Promise<Evaluation> => {
    const decision = decideRenewal(known, cause)
    const waits = await awaitsSummary(input, decision, input.view?.line ?? 0)
    return {
      decision: waits ? { ...decision, kind: 'renew', reason: cause } : decision,
      inForce: null,
      stays: false,
      pending: waits ? decision : null,
    }
  }
  if (view === null && last === null) return anew('first')
  if (view === null)
    return anew(last?.prefix.rewrites === log.rewrites ? 'forgotten' : 'history-changed')
  const changed = showsAll(view) ? null : changedBasis(view, input.basis)
  if (changed !== null) return anew(changed)
  // What the extension describes is not shown any more.
  if (view.line < coveredTo) return anew('remembered')
  const read = [...(await readViewMessages(log, view)), ...nextOf(input)]
  const { selected, messages } = withNext(view, read)
  const degraded = degrade(input, fixed, view.degraded)
  const showWith = (inserts: readonly Insert[]) =>
    renderView({ ...degraded.input, inserts }, degraded.fixed, selected, messages)
  const shown = showWith(input.inserts)
  const opened = (message: Message) => message.seq >= state.compactedAt && isSpoken(message)
  const turnsSince = read.filter(opened).length
  const decided = decide({ ...known, view, size: shown.size, turnsSince })
  const waits = await awaitsSummary(input, decided, view.line)
  const decision: Decision = waits
    ? { ...decided, kind: 'continue', reason: 'summary-pending' }
    : decided
  const stays = decision.kind === 'continue' || decision.shadow
  const standing = { shown, view: input.view, epoch: view.epoch, began: null }
  const inForce = { ...nothingNew, ...standing, showWith: input.view && showWith }
  return { decision, inForce, stays, pending: waits ? decided : null }
}

/** As long as everything is shown no view is kept; the request before says whether it was. */
function viewOfAll({ last, basis }: ContextInputs): View | null {
  if (last === null || last.stubbed + last.leftOut > 0) return null
  const { epoch } = last
  return { ...everything, epoch, cause: 'first', basis }
}

/**
 * With background summaries, a request that fits stays as it is until the summary is there; its
 * epoch begins there.
 */
async function awaitsSummary(
  input: ContextInputs,
  decision: Decision,
  line: Seq,
): Promise<boolean> {
  const { policy, writer } = input
  if (writer === null || policy.run.mode === 'blocking') return false
  if (decision.kind !== 'compact' || decision.shadow || cannotWait(decision)) return false
  // Where models bring nothing, rules do it now, unless nothing is to be done without them.
  const isFailed = (writer.state.failedTo ?? 0) > line || isResting(writer)
  if (isFailed && policy.onFailure === 'rules') return false
  // A job that found nothing for a model has written no summary either.
  const isEmptyJob = (writer.emptyAt ?? 0) > (input.last?.triggers.compactedAt ?? 0)
  if (isEmptyJob && policy.onFailure !== 'no-change') return false
  return (await readyTo(input)) <= line
}

/** Models have brought nothing lately, and are left alone for a while. */
export function isResting({ state, clock }: Pick<SummaryWriter, 'state' | 'clock'>): boolean {
  return breakerState(state.breaker, clock.now()) === 'open'
}

/** How far the newest summary goes; 0 where there is none. */
export async function readyTo({
  derived,
  log,
}: Pick<ContextInputs, 'derived' | 'log'>): Promise<Seq> {
  return (await derived.summaryBefore(log.head))?.covers.to ?? 0
}

export function cannotWait({ kind, reason }: Decision): boolean {
  return kind === 'compact' && urgent.includes(reason)
}

const urgent: readonly Decision['reason'][] = ['manual', 'provider-overflow', 'emergency', 'onTrim']

/** Whether models may be asked while a request waits for it. */
export function mayAskNow({ run }: Pick<Policy, 'run'>, decision: Decision): boolean {
  return run.mode === 'blocking' || cannotWait(decision)
}

/**
 * Everything shown, as a view: kept where somebody went back to it, so that it is not taken for
 * forgotten.
 */
export const everything = {
  line: 0,
  keeps: [],
  stubs: [],
  past: null,
  next: null,
  degraded: null,
  // It ends when the request is full, however much that is more than it began with.
  beganTokens: 0,
} as const satisfies Partial<View>

/** Whatever it was made for, another basis would not show more. */
function showsAll({ line, stubs, past, next, degraded }: View): boolean {
  return line === 0 && stubs.length === 0 && past === null && next === null && degraded === null
}
