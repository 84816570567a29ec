/** The ways to keep a conversation inside a window whose costs are compared. */
export const costMethods = [
  'full',
  'sliding',
  'forgetting',
  'model-summary',
  'throughline',
] as const

export type CostMethod = (typeof costMethods)[number]
