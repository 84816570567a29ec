/**
 * A budget: how many tokens a request may have, and what of them is spoken for.
 *
 *   min(window ─ reserve for the reply, input limit) ─ margin = available
 *   available ─ system ─ tools ─ pins                         = what the conversation can have
 *
 * Where a provider has refused a request as too large, less is available from then on.
 */
export interface Budget {
  readonly windowTokens: number
  /** Where the window's size comes from. */
  readonly windowSource: string
  /** Kept free for the reply. */
  readonly reserveTokens: number
  /** The most that the model takes as a prompt, where that is less than its window; null where it is not. */
  readonly inputLimitTokens: number | null
  /** Kept free for what a provider adds and nobody reports. */
  readonly marginTokens: number
  readonly availableTokens: number
  readonly protected: ProtectedTokens
  /** Above this the epoch ends. */
  readonly triggerTokens: number
  /** A new epoch begins with about this, where the conversation is long enough. */
  readonly targetTokens: number
}

/** What is sent whole or not at all. */
export interface ProtectedTokens {
  readonly system: number
  readonly tools: number
  readonly pins: number
}
