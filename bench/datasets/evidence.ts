/** The fewest spans that cover exactly the given positions. */

import { span } from '../../packages/throughline/src/domain/span.ts'
import type { Span } from '../../packages/throughline/src/index.ts'

export function spansOf(places: readonly number[]): readonly Span[] {
  return joinedSpans(places.map((place) => span(place, place + 1)))
}

export function joinedSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = []
  for (const next of spans.toSorted((left, right) => left.from - right.from)) {
    const last = joined.at(-1)
    if (last !== undefined && next.from <= last.to)
      joined[joined.length - 1] = span(last.from, Math.max(last.to, next.to))
    else joined.push(next)
  }
  return joined
}
