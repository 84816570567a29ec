/** How much of a request may hold what users said that is not shown at its place. */
import { resolveAmount } from '../../domain/amount.ts'
import type { Policy } from '../../domain/policy.ts'
import type { BudgetPlan } from './plan-budget.ts'

/** Where no summary covers it, no policy may lose it: it has this much in any case. */
const leastShare = 0.15

export function saidTokens(
  { said }: Pick<Policy, 'said'>,
  { freeTokens }: Pick<BudgetPlan, 'freeTokens'>,
): number {
  return Math.max(resolveAmount(said, freeTokens), Math.floor(freeTokens * leastShare))
}

/** Whether it is repeated beside a summary that covers it. */
export function repeatsSaid({ said }: Pick<Policy, 'said'>): boolean {
  return 'tokens' in said ? said.tokens > 0 : said.ratio > 0
}
