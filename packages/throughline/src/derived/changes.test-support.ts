/** Helpers that commit changes and load them, for tests on stores. */

import type { MessageFacts } from '../domain/ledger.ts'
import type { NewReceipt } from '../domain/receipt.ts'
import type { TenantStore } from '../ports/store.ts'
import { hardText, id } from '../testing/store-cases/case.test-support.ts'
import type { ConversationChanges } from './changes.ts'
import { commitChanges } from './commit.ts'
import { loadReceipts } from './receipts.ts'
import { type FactsQuery, loadFacts } from './rows.ts'
import { sampleFacts, sampleLedger, sampleReceipt } from './samples.test-support.ts'
import { loadConversation } from './state.ts'

export const everywhere = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Commits changes on top of the current version. */
export async function change(tenant: TenantStore, changes: ConversationChanges, to = id) {
  const expectedVersion = (await loadConversation(tenant, to))?.version ?? 0
  return commitChanges(tenant, { id: to, expectedVersion, changes, at: 9 })
}

/** Rows of facts at these places; each digest names its writer. */
export const rowsOf = (by: string, ...places: readonly number[]): readonly MessageFacts[] =>
  places.map((seq) => sampleFacts({ seq, digest: { by: 'user', text: `${by} ${seq}` } }))

export const commitFacts = (tenant: TenantStore, rows: readonly MessageFacts[], to = id) =>
  change(tenant, { facts: { rows, ledger: sampleLedger() } }, to)

/** The digests of the stored facts, with writer and place. */
export const factTexts = async (tenant: TenantStore, query: Partial<FactsQuery> = {}) =>
  (await loadFacts(tenant, { id, span: everywhere, ...query }))?.map(({ seq, digest }) =>
    digest?.text.endsWith(` ${seq}`) ? digest.text : `${seq}: ${digest?.text}`,
  )

/** The state of a conversation without derived rows. */
export const nothingDerived = {
  view: null,
  seen: false,
  calibration: null,
  last: null,
  asking: null,
  recorded: 0,
  followUpDue: null,
  inserts: [],
}

/** Kept beside a receipt until its follow-up is added. */
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
