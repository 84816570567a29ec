/** A run of places in a conversation: `from` is in it, `to` is not. */
import { ThroughlineError } from '../errors.ts'
import { describe } from './describe.ts'
import type { Seq } from './ids.ts'

export interface Span {
  readonly from: Seq
  readonly to: Seq
}

export function span(from: Seq, to: Seq): Span {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || to < from)
    throw new ThroughlineError(
      'SPAN_INVALID',
      `a span is two whole numbers with 0 <= from <= to, got ${describe(from)} and ${describe(to)}`,
    )
  return { from, to }
}

/** A place, a number or a limit that a caller hands in. */
export function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new ThroughlineError(
      'SPAN_INVALID',
      `must be a whole number from 0, got ${describe(value)}`,
    )
  return value
}
