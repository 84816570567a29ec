/** Where an epoch begins in the log, beyond what the budget says: by the policy, and by summaries that were waited for. */
import type { Decision } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import { isSpoken } from '../../domain/turn.ts'
import type { View } from '../../domain/view.ts'
import { cannotWait, readyTo } from '../decide/await-summary.ts'
import { isShown } from '../past/written-past.ts'
import { changedBasis } from '../project/basis.ts'
import type { Held, Projecting } from '../project/projecting.ts'
import type { Considered } from '../select/selection.ts'

/**
 * Policies that keep only the newest messages do so when they compact. Where only what must
 * go is to go, they are like others; and what is made anew for another reason keeps its line,
 * or begins where the last summary ends: of a fork, or for another model.
 */
export async function filledAs(
  input: Projecting,
  { kind }: Decision,
  ready: Seq,
): Promise<Projecting> {
  const { policy, view, log } = input
  if (policy.fill === 'target' || (kind === 'compact' && ready === 0)) return input
  if (kind === 'compact')
    return { ...input, policy: { ...policy, keepRecent: { messages: log.head - ready } } }
  if (kind === 'trim') return { ...input, policy: { ...policy, fill: 'target' } }
  const line = view === null ? await summarizedTo(input) : keptLine(view, input)
  return { ...input, policy: { ...policy, keepRecent: { messages: Math.max(2, log.head - line) } } }
}

/** Where a summary was waited for, the epoch begins where that ends; 0 where none was. */
export async function readyLine(input: Projecting, decision: Decision): Promise<Seq> {
  const { policy, writer, view, log, floor } = input
  if (writer === null || policy.run.mode === 'blocking') return 0
  if (decision.kind !== 'compact' || cannotWait(decision)) return 0
  const to = await readyTo(input)
  return to > Math.max(view?.line ?? 0, floor) && to < log.head - 1 ? to : 0
}

/**
 * What came while a summary was waited for stays, also where it is more than a trigger allows:
 * the next summary tells it, and not rules.
 */
export function untilItFits(held: Held): Held {
  const { plan } = held
  const budget = { ...plan.budget, triggerTokens: plan.availableTokens }
  return { ...held, plan: { ...plan, budget } }
}

/** What is told already is not shown; what opened the running turn is. */
export function consideredFrom(considered: Considered, line: Seq): Considered {
  const { candidates, task } = considered
  const left = candidates.filter(({ message }) => message.seq >= line)
  if (left.length === candidates.length) return considered
  const isOpened = left.some(({ message }) => isSpoken(message))
  const opening = candidates.findLast(({ message }) => message.seq < line && isSpoken(message))
  return { ...considered, candidates: left, task: isOpened ? null : (opening ?? task) }
}

/** What models have told already is not told again. */
async function summarizedTo({ past, log, styles }: Projecting): Promise<Seq> {
  const record = await past.summaryBefore(log.head)
  return isShown(record, styles) ? record.covers.to : 0
}

function keptLine(view: View, { basis }: Projecting): Seq {
  return changedBasis(view, basis) === 'history-changed' ? 0 : view.line
}
