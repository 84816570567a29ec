/** What the gate finds in a draft. Plain JSON: receipts tell it. */

/** What was mended before the draft was taken. */
export type DraftRepair =
  | { readonly kind: 'thinking-removed' }
  | { readonly kind: 'value-replaced'; readonly from: string; readonly to: string }
  | { readonly kind: 'passage-removed'; readonly values: readonly string[] }

/**
 * What a reader should doubt; it was left in. `little-in-common`: it shares so few words with
 * the messages that it may be about something else. `told-by-rules`: no model has summarized it.
 */
export interface DraftMark {
  readonly kind:
    | 'little-in-common'
    | 'other-language'
    | 'unknown-name'
    | 'unknown-quote'
    | 'proposal-as-done'
    | 'told-by-rules'
  readonly text: string
}
