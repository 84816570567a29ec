/** Why a view has to be made anew. */
export type RenewCause =
  | 'first'
  | 'pins-changed'
  | 'policy-changed'
  | 'window-changed'
  | 'history-changed'
  | 'refill'
  | 'forgotten'
  /** A turn memory tells messages that were shown before. */
  | 'remembered'

/** Why a context has to become smaller. */
export type CompactionCause = 'trigger' | 'overflow' | 'manual' | 'provider-overflow'

/** Why an epoch began; the last two: somebody went back to a view of before, or corrected what it says. */
export type EpochCause = RenewCause | CompactionCause | 'restored' | 'summary-edited'

/** Why a provider's cache of the request before is of no use. */
export type BreakCause =
  | EpochCause
  | 'system-changed'
  | 'tools-changed'
  | 'profile-changed'
  | 'memory-changed'
  | 'retrieved-changed'
  | 'result-arrived'
  | 'next-changed'
