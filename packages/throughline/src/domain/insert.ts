/**
 * Text of the log that was recalled for a message: it stands before that message for the rest
 * of the epoch, so that each request goes on from the one before. Plain JSON.
 */
import type { Seq } from './ids.ts'
import type { Span } from './span.ts'

export interface Insert {
  readonly epoch: number
  /** The place of the message that it was recalled for … */
  readonly before: Seq
  /** … and the hash of its content: before another one that came instead it does not stand. */
  readonly of: string
  readonly text: string
  /** The epoch began with it; others came while it lasted. */
  readonly opens: boolean
  /** The messages that it tells, ascending. */
  readonly sources: readonly Span[]
}
