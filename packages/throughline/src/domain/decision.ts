/** Whether a request compacts: the answer with its reason and its figures, "no" included. Plain JSON. */
import type { RenewCause } from './epoch-cause.ts'
import type { TriggerKind } from './trigger.ts'

export interface Decision {
  /**
   * `compact`: down to the target. `trim`: only because it would not fit, where compaction is
   * off. `renew`: what the view was made for has changed.
   */
  readonly kind: 'go-on' | 'compact' | 'trim' | 'renew'
  readonly reason: DecisionReason
  /** Decided and told, and not done. */
  readonly shadow: boolean
  readonly armed: boolean
  readonly figures: DecisionFigures
}

export type DecisionReason =
  /** No trigger has fired. */
  | 'below'
  /** A trigger has fired, and this stood in its way. */
  | 'cooldown'
  | 'minimum'
  | 'disarmed'
  | 'regrowth'
  /** It waits for a summary that is being written behind it. */
  | 'summary-pending'
  /** The last compaction was undone, and nobody has asked for another one. */
  | 'suspended'
  | 'off'
  /** The trigger that fired; of `all` and `any`, that. */
  | TriggerKind
  | 'manual'
  /** It would not fit: neither cooldown nor minimum is asked for. */
  | 'emergency'
  | 'provider-overflow'
  | RenewCause

export interface DecisionFigures {
  /** Null where there was no view yet that could be measured. */
  readonly tokens: number | null
  readonly availableTokens: number
  /** Of what is available. */
  readonly ratio: number | null
  readonly messagesSince: number
  readonly turnsSince: number
}
