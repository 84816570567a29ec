/** How much of a request may stand for the past: by the shares of its slots, as far as the target goes. */
import { resolveAmount } from '../domain/amount.ts'
import type { Held, Projecting } from './projecting.ts'
import type { PastLimits } from './render-past.ts'

export function pastLimits({ policy }: Projecting, { plan }: Held): PastLimits {
  const shareOf = (kind: 'summary' | 'ledger' | 'files') => {
    const slot = policy.slots.find((each) => each.kind === kind)
    const tokens = slot?.share === undefined ? 0 : resolveAmount(slot.share, plan.freeTokens)
    return Math.min(tokens, slot?.most ?? tokens)
  }
  const asked = shareOf('summary') + shareOf('ledger') + shareOf('files')
  const room = (plan.budget.targetTokens - plan.heldTokens) * pastShare
  // What was said last is not driven out by what is known of the rest.
  const share = Math.min(1, room / Math.max(1, asked))
  const isTold = policy.slots.some(({ kind }) => kind === 'summary')
  return {
    saidTokens: isTold ? resolveAmount(policy.said, plan.freeTokens) : 0,
    summaryTokens: Math.floor(shareOf('summary') * share),
    ledgerTokens: Math.floor(shareOf('ledger') * share),
    filesTokens: Math.floor(shareOf('files') * share),
  }
}

const pastShare = 0.8
