/** How much of what it may have a request has. */
export interface BudgetFigures {
  readonly maxInputTokens: number
  readonly currentTokens: number
  /** What is left; 0 where there is less than nothing. */
  readonly availableTokens: number
  /** What has exactly as much as it may have is within it. */
  readonly withinBudget: boolean
  /** Rounded; above 100 where it is too much. */
  readonly utilizationPercent: number
}

export function budgetFigures(
  figures: Pick<BudgetFigures, 'maxInputTokens' | 'currentTokens'>,
): BudgetFigures {
  const { maxInputTokens, currentTokens } = figures
  const full = currentTokens === 0 ? 0 : 100
  return {
    maxInputTokens,
    currentTokens,
    availableTokens: Math.max(0, maxInputTokens - currentTokens),
    withinBudget: currentTokens <= maxInputTokens,
    utilizationPercent:
      maxInputTokens === 0 ? full : Math.round((100 * currentTokens) / maxInputTokens),
  }
}
