/** The error of a request that nothing can make small enough. */
import { ThroughlineError } from '../../errors.ts'
import type { BudgetPlan, ProtectedSizes } from './plan-budget.ts'

/** Thrown when what must be sent whole is too large by itself. */
export function contextOverflow(
  plan: BudgetPlan,
  sizes: ProtectedSizes,
  model: string,
): ThroughlineError {
  const parts = Object.entries(sizes).map(([name, size]) => [name, plan.hard(size)] as const)
  const [largest] = parts.toSorted(([, left], [, right]) => right - left)
  const tokens = parts.reduce((sum, [, part]) => sum + part, 0)
  const advice = { system: 'shorten the system prompt', tools: 'offer fewer tools', pins: 'unpin' }
  const isReply = plan.budget.reserveTokens > plan.budget.windowTokens / 2
  const { windowTokens, reserveTokens, inputLimitTokens, marginTokens, availableTokens } =
    plan.budget
  const inputLimit = inputLimitTokens === null ? '' : `input limit ${inputLimitTokens}, `
  const figures = parts.map(([name, part]) => `${name} ${part}`).join(', ')
  const what = isReply
    ? 'ask for a shorter reply'
    : tokens < availableTokens / 2
      ? 'leave more to the request: lower the reserve or the margin of the policy'
      : advice[(largest?.[0] ?? 'system') as keyof typeof advice]
  return new ThroughlineError(
    'CONTEXT_OVERFLOW',
    `cannot fit the request into ${model}: ${figures}, together ${tokens} tokens, and ` +
      `${availableTokens} are available (window ${windowTokens}, reserve ${reserveTokens}, ` +
      `${inputLimit}margin ${marginTokens}). Please ${what}, or use a model with a larger window`,
    {
      details: {
        ...Object.fromEntries(parts),
        tokens,
        availableTokens,
        windowTokens,
        inputLimitTokens,
      },
    },
  )
}
