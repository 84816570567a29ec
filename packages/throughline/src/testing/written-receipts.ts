/** Receipts written and read again, for the cases of the contract. */
import { loadReceipts } from '../derived/receipts.ts'
import type { NewReceipt } from '../domain/receipt.ts'
import type { TenantStore } from '../ports/store.ts'
import { hardText, sampleReceipt } from './derived-samples.ts'
import { change, id } from './noted-facts.ts'

/** What stands beside a receipt as long as it waits. */
export const left = { text: `left ${hardText}`, stubs: [5, 7] }

export const write = (
  tenant: TenantStore,
  { due = 31, to = id, ...changes }: Partial<NewReceipt> & { due?: number; to?: typeof id } = {},
) => change(tenant, { receipt: { receipt: sampleReceipt(changes), left, due } }, to)

/** The epochs of the receipts, as they are read. */
export const epochs = async (
  tenant: TenantStore,
  { limit = 1_000, before = null }: { limit?: number; before?: number | null } = {},
) => (await loadReceipts(tenant, { id, limit, before }))?.map(({ epoch }) => epoch)
