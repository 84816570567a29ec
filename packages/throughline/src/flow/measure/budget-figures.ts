/** How much of its budget a request uses. */
export interface BudgetFigures {
  readonly maxInputTokens: number
  readonly currentTokens: number
  /** The unused tokens; never below 0. */
  readonly availableTokens: number
  /** Also true if the request has exactly the limit. */
  readonly withinBudget: boolean
  /** Rounded; above 100 if the request is too large. */
  readonly utilizationPercent: number
}

export function budgetFigures({
  maxInputTokens,
  currentTokens,
}: Pick<BudgetFigures, 'maxInputTokens' | 'currentTokens'>): BudgetFigures {
  // With a limit of 0 there is no ratio: an empty request uses 0 %, any other 100 %.
  const percentOfNothing = currentTokens === 0 ? 0 : 100
  return {
    maxInputTokens,
    currentTokens,
    availableTokens: Math.max(0, maxInputTokens - currentTokens),
    withinBudget: currentTokens <= maxInputTokens,
    utilizationPercent:
      maxInputTokens === 0 ? percentOfNothing : Math.round((100 * currentTokens) / maxInputTokens),
  }
}
