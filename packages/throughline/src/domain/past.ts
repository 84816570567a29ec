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
  /** The summary by a model that it begins with; null where rules tell all of it. */
  readonly written: WrittenPast | null
  /** When there was one first, and when this one was made. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What of a summary's record the contexts of an epoch are asked for. */
export interface WrittenPast {
  readonly id: string
  /** Rules tell the messages from there on. */
  readonly to: Seq
  readonly version: number
  readonly tokensUsed: number
  readonly depth: number
  /** Nothing in it comes from tools, files or documents. */
  readonly withoutTools: boolean
}

export interface DigestedTo {
  /** Of the messages before it. */
  readonly to: Seq
  readonly digest: RuleDigest
}
