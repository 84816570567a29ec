/** What a search in the log has found, the best first. */
import type { Span } from './span.ts'

export interface Recalled {
  readonly query: string
  readonly pieces: readonly RecalledPiece[]
  /**
   * Messages that this search has not looked at, because they are not indexed yet, as some time
   * after a large import; null where all were searched.
   */
  readonly unsearched: Span | null
}

export interface RecalledPiece {
  readonly anchor: string
  readonly span: Span
  /** When it was said, or written, in milliseconds since 1970; null for an entry of the ledger. */
  readonly at: number | null
  readonly text: string
  readonly score: number
  readonly kind: 'messages' | 'summary' | 'entry'
}
