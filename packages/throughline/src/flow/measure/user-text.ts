/** How much room user text has in the history block. */
import { type Policy, resolveAmount } from '../../domain/policy.ts'
import type { BudgetPlan } from './plan-budget.ts'

/** For user text that no summary covers yet, if the policy leaves user text to its summary. */
const uncoveredShare = 0.15

export function userTextTokens(
  policy: Pick<Policy, 'userText'>,
  { freeTokens }: Pick<BudgetPlan, 'freeTokens'>,
): number {
  const amount = repeatsUserText(policy) ? policy.userText : { ratio: uncoveredShare }
  return resolveAmount(amount, freeTokens)
}

/** Whether user text is repeated in the history block although a summary covers it. */
export function repeatsUserText({ userText }: Pick<Policy, 'userText'>): boolean {
  return 'tokens' in userText ? userText.tokens > 0 : userText.ratio > 0
}
