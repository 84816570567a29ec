/** What somebody looked up, for the hindsight of receipts. Whoever reads waits for no writing. */
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Span } from '../domain/span.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'

/** Places that follow one another are one look. */
export function noteExpanded(
  store: TenantStore,
  id: ConversationId,
  places: readonly Seq[],
  { background }: Front,
): void {
  const spans: Span[] = []
  for (const seq of places) {
    const last = spans.at(-1)
    if (last?.to === seq) spans[spans.length - 1] = { from: last.from, to: seq + 1 }
    else spans.push({ from: seq, to: seq + 1 })
  }
  background.run(async () => {
    for (const expanded of spans) await store.record({ id, expanded })
  })
}
