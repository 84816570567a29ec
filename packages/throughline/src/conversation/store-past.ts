/** What a store keeps of the messages before a line. */
import type { ConversationId } from '../domain/ids.ts'
import type { PastReader } from '../flow/read/past-reader.ts'
import type { TenantStore } from '../ports/store.ts'
import type { LedgerOfState } from './known-ledgers.ts'

export function storePast(
  store: TenantStore,
  id: ConversationId,
  ledger: LedgerOfState,
): PastReader {
  return {
    ledger: () => ledger.read(),
    summaryBefore: (place) => store.summaryBefore({ id, place }),
    digests: async (span) => (await store.digests({ id, span })) ?? [],
    rowsBefore: async (before, limit, trust) => {
      const span = { from: 0, to: before }
      const query = { id, span, newestFirst: true, limit, ...(trust !== null && { trust }) }
      return (await store.facts(query)) ?? []
    },
  }
}
