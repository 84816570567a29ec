/** What stands in a context for the messages before its line: rendered once, and frozen with the view. */
export interface Past {
  /** What was said and done, in lines. */
  readonly summary: string
  readonly ledger: string
  /** Entries that the ledger tells. */
  readonly entriesShown: number
}
