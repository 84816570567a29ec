/** Whether a request compacts, with reason and figures; also recorded when it does not. */
export interface Decision {
  /**
   * `continue`: the view stays. `compact`: down to the target. `trim`: only what would not fit is
   * removed, where compaction is off. `renew`: what the view was made for has changed.
   */
  readonly kind: 'continue' | 'compact' | 'trim' | 'renew'
  readonly reason: DecisionReason
  /** Decided and reported, but not done. */
  readonly shadow: boolean
  readonly armed: boolean
  readonly figures: {
    /** Null where there was no view yet to measure. */
    readonly tokens: number | null
    readonly availableTokens: number
    /** Tokens as a ratio of the model's window. */
    readonly ratio: number | null
    readonly messagesSince: number
    readonly turnsSince: number
  }
}

/** Why a request compacts, or why it does not. */
export type DecisionReason =
  | 'below'
  /** A trigger has fired, but this prevented it. */
  | 'cooldown'
  | 'minimum'
  | 'disarmed'
  | 'regrowth'
  /** It waits for a summary that is being written in the background. */
  | 'summary-pending'
  /** The last compaction was undone, and no other one was requested. */
  | 'suspended'
  | 'off'
  /** The trigger that fired; for a combined trigger, `all` or `any`. */
  | Trigger['kind']
  | 'manual'
  /** The request would not fit: cooldown and minimum are ignored. */
  | 'emergency'
  | 'provider-overflow'
  | RenewCause

/** When to compact, as plain JSON. A policy lists triggers, and any one of them suffices. */
export type Trigger =
  /**
   * The request reaches this ratio of its limit. Once fired, the trigger is disarmed until the
   * ratio was below `reset`, or the cooldown is over.
   */
  | {
      readonly kind: 'tokenRatio'
      readonly at: number
      /**
       * Used instead of `at` if no model writes summaries: rules need no time, so that the request may
       * be fuller.
       */
      readonly withoutModel?: number | undefined
      /** Below `at`. */
      readonly reset: number
      /** The limit: the window, the budget, or what system, tools and pins leave of the budget. */
      readonly of: 'window' | 'available' | 'free'
    }
  | TokensTrigger
  | { readonly kind: 'messages'; readonly since: number }
  /** Turns that users began since the last compaction. */
  | { readonly kind: 'turns'; readonly since: number }
  /** The request does not fit without removing something. */
  | { readonly kind: 'onTrim' }
  /** Every so many messages of the log, whenever the last compaction was. */
  | { readonly kind: 'periodic'; readonly messages: number }
  | { readonly kind: 'all'; readonly of: readonly Trigger[] }
  | { readonly kind: 'any'; readonly of: readonly Trigger[] }

/** Fires from so many tokens on. */
export interface TokensTrigger {
  readonly kind: 'tokens'
  readonly at: number
  /**
   * Tokens of the whole `request` (the default), or of the `conversation` in it: messages and
   * summary, without system, tools, pins and the caller's texts.
   */
  readonly of?: 'request' | 'conversation' | undefined
}

/** Conditions that hold back a trigger that fired. An emergency ignores them. */
export interface Guards {
  readonly cooldownMessages: number
  /** Messages that are not yet compacted. */
  readonly minMessages: number
  /**
   * After a compaction that could not get below its trigger, the next waits until the request has
   * grown by this ratio of what is free, or of the trigger's tokens where those are fewer.
   */
  readonly regrowthRatio: number
}

/** The state of the triggers, recorded with each request. Plain JSON. */
export interface TriggerState {
  readonly armed: boolean
  /** The log's end when an epoch last began or a compaction was last tried; 0 for never. */
  readonly compactedAt: number
}

/** Why a view has to be made again. */
export type RenewCause =
  | 'first'
  | 'pins-changed'
  | 'policy-changed'
  | 'window-changed'
  | 'history-changed'
  | 'refill'
  | 'forgotten'
  /** A turn memory now covers messages that were shown before. */
  | 'remembered'
  /** A model has written the digest of a long message that was shown without it. */
  | 'digested'

/** Why a context has to become smaller. */
export type CompactionCause = 'trigger' | 'overflow' | 'manual' | 'provider-overflow'

/** Why an epoch began; the last two: a restored view, or a corrected summary. */
export type EpochCause = RenewCause | CompactionCause | 'restored' | 'summary-edited'

/** Why the provider's cache of the previous request cannot be used. */
export type BreakCause =
  | EpochCause
  | 'system-changed'
  | 'tools-changed'
  | 'profile-changed'
  | 'memory-changed'
  | 'retrieved-changed'
  | 'result-arrived'
  | 'next-changed'
