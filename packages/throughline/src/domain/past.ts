import type { Seq } from './ids.ts'
import type { RuleDigest } from './rule-digest.ts'

/** What stands in a context for the messages before its line: rendered once, and frozen with the view. */
export interface Past {
  /** What was said and done, in lines. */
  readonly summary: string
  readonly ledger: string
  /** Lines of files that work goes on with, word for word as they stand now. */
  readonly files: string
  /** The ledger is of the messages before it. */
  readonly ledgerTo: Seq
  /** Entries that the ledger tells. */
  readonly entriesShown: number
  /** What the summary goes on from, where it is told as lines of tools. */
  readonly digest: DigestedTo | null
  /** When there was one first, and when this one was made. */
  readonly createdAt: number
  readonly updatedAt: number
}

export interface DigestedTo {
  /** Of the messages before it. */
  readonly to: Seq
  readonly digest: RuleDigest
}
