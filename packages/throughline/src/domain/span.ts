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

/** The fewest spans that hold these places, which are ascending, and nothing else. */
export function spansOf(places: Iterable<Seq>): readonly Span[] {
  const spans: { from: Seq; to: Seq }[] = []
  for (const place of places) {
    const last = spans.at(-1)
    if (last?.to === place) last.to += 1
    else spans.push({ from: place, to: place + 1 })
  }
  return spans
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
