/**
 * A budget: how many tokens a request may have, and what of them is spoken for.
 *
 *   window ─ reserve for the reply ─ margin = available
 *   available ─ system ─ tools ─ pins       = what the conversation can have
 */
export interface Budget {
  readonly windowTokens: number
  /** Where the window's size comes from. */
  readonly windowSource: string
  /** Kept free for the reply. */
  readonly reserveTokens: number
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
