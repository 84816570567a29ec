/** Where an epoch begins in the log, beyond what the budget says: by the policy, and by summaries that were waited for. */
import type { Decision } from '../../domain/decision.ts'
import type { Seq } from '../../domain/ids.ts'
import type { View } from '../../domain/view.ts'
import { cannotWait, readyTo } from '../decide/await-summary.ts'
import { isShown } from '../past/written-past.ts'
import { changedBasis } from '../project/basis.ts'
import type { Projecting } from '../project/projecting.ts'

/**
 * Policies that keep only the newest messages do so when they compact. Where only what must
 * go is to go, they are like others; and what is made anew for another reason keeps its line,
 * or begins where the last summary ends: of a fork, or for another model.
 */
export async function withFill(
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
  const { policy, writer, view, log, coveredTo } = input
  if (writer === null || policy.run.mode === 'blocking') return 0
  if (decision.kind !== 'compact' || cannotWait(decision)) return 0
  const to = await readyTo(input)
  return to > Math.max(view?.line ?? 0, coveredTo) && to < log.head - 1 ? to : 0
}

/** What models have told already is not told again. */
async function summarizedTo({ past, log, styles }: Projecting): Promise<Seq> {
  const record = await past.summaryBefore(log.head)
  return isShown(record, styles) ? record.covers.to : 0
}

function keptLine(view: View, { basis }: Projecting): Seq {
  return changedBasis(view, basis) === 'history-changed' ? 0 : view.line
}
