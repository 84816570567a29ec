/** The budget of an epoch that is to begin with more than usual, or with less. */
import type { Held } from '../project/projecting.ts'

/**
 * What came while a summary was waited for stays, also where it is more than a trigger allows:
 * the next summary tells it, and not rules.
 */
export function untilItFits(held: Held): Held {
  const { plan } = held
  const budget = { ...plan.budget, triggerTokens: plan.countedTokens }
  return { ...held, plan: { ...plan, budget } }
}

/** What leaves has no summary, so no more leaves than it takes to go on for a while. */
export function untilItFitsAgain(held: Held): Held {
  const { plan } = held
  const { heldTokens, freeTokens, budget } = plan
  const targetTokens = Math.max(
    budget.targetTokens,
    heldTokens + Math.floor(freeTokens * trimmedShare),
  )
  return untilItFits({ ...held, plan: { ...plan, budget: { ...budget, targetTokens } } })
}

const trimmedShare = 0.6

/** All that is shown becomes less in proportion, as in a smaller window. */
export function withTarget(held: Held, tokens: number): Held {
  const { plan } = held
  const { heldTokens, freeTokens, budget } = plan
  const asked = budget.targetTokens - heldTokens
  const targetTokens = Math.max(heldTokens + asked * leastShare, tokens)
  const share = (targetTokens - heldTokens) / Math.max(1, asked)
  return {
    ...held,
    plan: {
      ...plan,
      countedTokens: Math.floor(plan.countedTokens * share),
      freeTokens: Math.floor(Math.max(freeTokens * share, Math.min(freeTokens, leastTokens))),
      budget: { ...budget, targetTokens: Math.floor(targetTokens) },
    },
  }
}

/** With less there is no room for a summary, and no model would be asked for one. */
const leastTokens = 1_500

/** Whatever is asked, what was said last and what is known stay in sight. */
const leastShare = 0.25
