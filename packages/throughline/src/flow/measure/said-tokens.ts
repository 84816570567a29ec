/** How much of a request may hold what users said that is not shown at its place. */
import { resolveAmount } from '../../domain/amount.ts'
import type { Policy } from '../../domain/policy.ts'
import type { BudgetPlan } from './plan-budget.ts'

/** Where a policy leaves users' words to its summary: for what no summary covers. */
const uncoveredShare = 0.15

export function saidTokens(
  policy: Pick<Policy, 'said'>,
  { freeTokens }: Pick<BudgetPlan, 'freeTokens'>,
): number {
  const amount = repeatsSaid(policy) ? policy.said : { ratio: uncoveredShare }
  return resolveAmount(amount, freeTokens)
}

/** Whether it is repeated beside a summary that covers it. */
export function repeatsSaid({ said }: Pick<Policy, 'said'>): boolean {
  return 'tokens' in said ? said.tokens > 0 : said.ratio > 0
}
