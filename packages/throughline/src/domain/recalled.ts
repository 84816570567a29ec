/** What a search in the log has found, the best first. */
import type { Span } from './span.ts'

export interface Recalled {
  readonly query: string
  readonly pieces: readonly RecalledPiece[]
}

export interface RecalledPiece {
  readonly anchor: string
  readonly span: Span
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
  readonly score: number
  readonly kind: 'messages' | 'summary' | 'entry'
}
