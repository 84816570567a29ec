/** When to compact, as plain JSON: what a policy lists, and any one of the list suffices. */
export type Trigger =
  | TokenRatioTrigger
  | TokensTrigger
  /** So many messages since the last compaction. */
  | { readonly kind: 'messages'; readonly since: number }
  /** So many turns that users opened since the last compaction. */
  | { readonly kind: 'turns'; readonly since: number }
  /** Something would have to leave for the request to fit. */
  | { readonly kind: 'onTrim' }
  /** At every so many messages of the log, whenever the last compaction was. */
  | { readonly kind: 'periodic'; readonly messages: number }
  | { readonly kind: 'all'; readonly of: readonly Trigger[] }
  | { readonly kind: 'any'; readonly of: readonly Trigger[] }

/**
 * The request has so much of what it may have. Once it has fired it is disarmed, until
 * the ratio has been below `reset`, or the cooldown is over.
 */
export interface TokenRatioTrigger {
  readonly kind: 'tokenRatio'
  readonly at: number
  /** Below `at`. */
  readonly reset: number
  /** Of the window, of what a request may have, or of what system, tools and pins leave of that. */
  readonly of: 'window' | 'available' | 'free'
}

/** There are at least so many tokens. */
export interface TokensTrigger {
  readonly kind: 'tokens'
  readonly at: number
  /**
   * In the `request`, where it is left out, or in what it shows of the `conversation`:
   * messages and summary, without system, tools, pins and what the caller supplies.
   */
  readonly of?: 'request' | 'conversation' | undefined
}

/** What a trigger watches. */
export type TriggerKind = Trigger['kind']

/** What must be so for a trigger to count. An emergency asks for none of it. */
export interface Guards {
  /** New messages since the last compaction, by their places in the log. */
  readonly cooldownMessages: number
  /** Messages that are not compacted yet. */
  readonly minMessages: number
  /**
   * Where a compaction could not get below its trigger, the next waits until the request has
   * grown by this ratio of what is free, or of the trigger's tokens where those are fewer.
   */
  readonly regrowthRatio: number
}

/** What the triggers remember, with each request that is recorded. Plain JSON. */
export interface TriggerState {
  readonly armed: boolean
  /** The end of the log when it was compacted last, or when nothing could be gained; 0 for never. */
  readonly compactedAt: number
}
