/** Whether a request compacts: the answer with its reason and figures, "no" included. */
export interface Decision {
  /**
   * `compact`: down to the target. `trim`: only because it would not fit, where compaction is off.
   * `renew`: what the view was made for has changed.
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
    /** Of what is available. */
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
  /** The trigger that fired; of `all` and `any`, that. */
  | Trigger['kind']
  | 'manual'
  /** It would not fit: neither cooldown nor minimum is asked for. */
  | 'emergency'
  | 'provider-overflow'
  | RenewCause

/** When to compact, as plain JSON: what a policy lists, and any one of the list suffices. */
export type Trigger =
  /**
   * The request has this ratio of what it may have. Once fired it is disarmed until the ratio has
   * been below
   * `reset`, or the cooldown is over.
   */
  | {
      readonly kind: 'tokenRatio'
      readonly at: number
      /** Below `at`. */
      readonly reset: number
      /** Of the window, of what a request may have, or of what system, tools and pins leave of that. */
      readonly of: 'window' | 'available' | 'free'
    }
  | TokensTrigger
  | { readonly kind: 'messages'; readonly since: number }
  /** Turns that users opened since the last compaction. */
  | { readonly kind: 'turns'; readonly since: number }
  /** Something would have to leave for the request to fit. */
  | { readonly kind: 'onTrim' }
  /** At every so many messages of the log, whenever the last compaction was. */
  | { readonly kind: 'periodic'; readonly messages: number }
  | { readonly kind: 'all'; readonly of: readonly Trigger[] }
  | { readonly kind: 'any'; readonly of: readonly Trigger[] }

/** There are at least so many tokens. */
export interface TokensTrigger {
  readonly kind: 'tokens'
  readonly at: number
  /**
   * Of the whole `request` (the default), or of what it shows of the `conversation`: messages and summary,
   * without system, tools, pins and the caller's texts.
   */
  readonly of?: 'request' | 'conversation' | undefined
}

/** The conditions of a trigger. An emergency ignores them. */
export interface Guards {
  readonly cooldownMessages: number
  /** Messages that are not yet compacted. */
  readonly minMessages: number
  /**
   * After a compaction that could not get below its trigger, the next waits until the request has grown by
   * this ratio of what is free, or of the trigger's tokens where those are fewer.
   */
  readonly regrowthRatio: number
}

/** The state of the triggers, recorded with each request. Plain JSON. */
export interface TriggerState {
  readonly armed: boolean
  /** The end of the log at the last compaction, or when nothing could be gained; 0 for never. */
  readonly compactedAt: number
}

/** Why a view has to be made anew. */
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

/** Why a context has to become smaller. */
export type CompactionCause = 'trigger' | 'overflow' | 'manual' | 'provider-overflow'

/** Why an epoch began; the last two: a restored view, or a corrected summary. */
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
