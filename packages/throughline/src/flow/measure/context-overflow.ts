import { ThroughlineError } from '../../errors.ts'
import type { BudgetPlan, ProtectedSizes } from './plan-budget.ts'

/** The error if system prompt, tools and pins alone do not fit. */
export function contextOverflow(plan: BudgetPlan, sizes: ProtectedSizes, model: string) {
  const parts = {
    system: plan.tokensAgainstLimit(sizes.system),
    tools: plan.tokensAgainstLimit(sizes.tools),
    pins: plan.tokensAgainstLimit(sizes.pins),
  }
  const tokens = parts.system + parts.tools + parts.pins
  const { windowTokens, reserveTokens, inputLimitTokens, marginTokens, availableTokens } =
    plan.budget
  const inputLimit = inputLimitTokens === null ? '' : `input limit ${inputLimitTokens}, `
  const largest = Math.max(parts.system, parts.tools, parts.pins)
  const advice = () => {
    if (reserveTokens > windowTokens / 2) return 'ask for a shorter reply'
    if (tokens < availableTokens / 2)
      return 'leave more room for the request: lower the reserve or the margin of the policy'
    if (parts.system === largest) return 'shorten the system prompt'
    return parts.tools === largest ? 'offer fewer tools' : 'unpin'
  }
  return new ThroughlineError(
    'CONTEXT_OVERFLOW',
    `cannot fit the request into ${model}: system ${parts.system}, tools ${parts.tools}, ` +
      `pins ${parts.pins}, together ${tokens} tokens, and ${availableTokens} are available ` +
      `(window ${windowTokens}, reserve ${reserveTokens}, ${inputLimit}margin ${marginTokens}). ` +
      `Please ${advice()}, or use a model with a larger window`,
    { details: { ...parts, tokens, availableTokens, windowTokens, inputLimitTokens } },
  )
}
