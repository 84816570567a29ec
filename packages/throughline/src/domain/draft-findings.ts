/** What the gate finds in a draft. Plain JSON: receipts tell it. */

/** What was mended before the draft was taken. */
export type DraftRepair =
  | { readonly kind: 'thinking-removed' }
  | { readonly kind: 'value-replaced'; readonly from: string; readonly to: string }
  | { readonly kind: 'passage-removed'; readonly values: readonly string[] }

/** What a reader should doubt; it was left in. `told-by-rules`: where it stands, for no model has told it. */
export interface DraftMark {
  readonly kind: 'unknown-name' | 'unknown-quote' | 'proposal-as-done' | 'told-by-rules'
  readonly text: string
}
