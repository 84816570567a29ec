/** Places of messages as the fewest spans that hold them and nothing else. */
import { type Span, span } from '../domain/span.ts'

export function spansOf(places: Iterable<number>): readonly Span[] {
  const sorted = [...new Set(places)].sort((left, right) => left - right)
  const spans: Span[] = []
  for (const place of sorted) {
    const last = spans.at(-1)
    if (last !== undefined && last.to === place)
      spans[spans.length - 1] = span(last.from, place + 1)
    else spans.push(span(place, place + 1))
  }
  return spans
}
