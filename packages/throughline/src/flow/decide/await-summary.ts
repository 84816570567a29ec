/**
 * Compactions that wait: where summaries are written in the background, a request that fits
 * goes on as it is until the summary is there, and then begins an epoch where that ends.
 */
import { breakerState } from '../../domain/breaker.ts'
import type { Decision } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Projecting } from '../project/projecting.ts'
import type { SummaryWriter } from '../summarize/summary-writer.ts'

type Asking = Pick<Projecting, 'policy' | 'writer' | 'past' | 'log' | 'last'>

export async function awaitsSummary(
  input: Asking,
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
  const isBarren = (writer.barrenAt ?? 0) > (input.last?.triggers.compactedAt ?? 0)
  if (isBarren && policy.onFailure !== 'no-change') return false
  return (await readyTo(input)) <= line
}

/** Models have brought nothing lately, and are left alone for a while. */
export function isResting({ state, clock }: Pick<SummaryWriter, 'state' | 'clock'>): boolean {
  return breakerState(state.breaker, clock.now()) === 'open'
}

/** How far the newest summary tells; 0 where there is none. */
export async function readyTo({ past, log }: Pick<Asking, 'past' | 'log'>): Promise<Seq> {
  return (await past.summaryBefore(log.head))?.covers.to ?? 0
}

/** Somebody waits for it, or the request would not fit. */
export function cannotWait({ kind, reason }: Decision): boolean {
  return kind === 'compact' && urgent.includes(reason)
}

const urgent: readonly Decision['reason'][] = ['manual', 'provider-overflow', 'emergency', 'onTrim']

/** Whether models may be asked while a request waits for it. */
export function mayAskNow({ run }: Pick<Policy, 'run'>, decision: Decision): boolean {
  return run.mode === 'blocking' || cannotWait(decision)
}
