/**
 * A policy: how a context is filled, as plain JSON. Amounts say their unit; ratios
 * are of what is left when system, tools and pins have been counted, unless a field
 * says otherwise.
 */
import type { Amount } from './amount.ts'
import type { SlotKind } from './context.ts'

export interface Policy {
  readonly name: string
  /** Kept free for the reply, but at most that ratio of the window. */
  readonly reserve: { readonly tokens: number; readonly ratioMax: number }
  /** Kept free for what a provider adds and nobody reports; a ratio is of the window. */
  readonly margin: Amount
  /** Above this, an epoch ends. */
  readonly trigger: Amount
  /** A new epoch begins with about this much, and not with less where there is more to show. */
  readonly target: Amount
  /** The newest messages, which are shortened last. At least 2. */
  readonly keepRecent: { readonly messages: number }
  /** How much of a stubbed message stays. */
  readonly stub: { readonly tokens: Amount; readonly least: number; readonly most: number }
  /** What a context is made of, in order; `share` is the most that a slot may have. */
  readonly slots: readonly Slot[]
  /**
   * Whose words derived text is given as. Text that stems from tools is never given as
   * the system's.
   */
  readonly derivedRole: 'user-message' | 'system-message' | 'merged-into-system'
}

export interface Slot {
  readonly kind: SlotKind
  readonly share?: Amount | undefined
}
