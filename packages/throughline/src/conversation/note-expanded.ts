/** What somebody looked up, for the hindsight of receipts. Whoever reads waits for no writing. */
import type { ConversationId } from '../domain/ids.ts'
import type { Span } from '../domain/span.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'

export function noteExpanded(
  store: TenantStore,
  id: ConversationId,
  spans: readonly Span[],
  { background }: Front,
): void {
  background.run(async () => {
    for (const expanded of spans) await store.record({ id, expanded })
  })
}
