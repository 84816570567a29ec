import type { Seq } from './ids.ts'

/** What stands in a context for the messages before its line: rendered once, and frozen with the view. */
export interface Past {
  /** What was said and done, in lines. */
  readonly summary: string
  readonly ledger: string
  /** The ledger is of the messages before it: those before the line, and those shortened behind it. */
  readonly ledgerTo: Seq
  /** Entries that the ledger tells. */
  readonly entriesShown: number
}
