/** Facts noted and told again, for the cases of the contract. */

import type { ConversationChanges } from '../derived/changes.ts'
import { commitChanges } from '../derived/commit.ts'
import { type FactsQuery, loadFacts } from '../derived/rows.ts'
import { loadConversation } from '../derived/state.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { MessageFacts } from '../domain/ledger.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { sampleFacts, sampleLedger } from './derived-samples.ts'
import type { Bench } from './store-contract/case.ts'

export const id = 'c' as ConversationId
export const tenantOf = (store: Store) => store.tenant('default' as never)
export const everywhere = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Commits to the version that stands. */
export async function change(tenant: TenantStore, changes: ConversationChanges, to = id) {
  const expectedVersion = (await loadConversation(tenant, to))?.version ?? 0
  return commitChanges(tenant, { id: to, expectedVersion, changes, at: 9 })
}

/** Rows of these places, each telling who wrote it. */
export const rowsOf = (by: string, ...places: readonly number[]): readonly MessageFacts[] =>
  places.map((seq) => sampleFacts({ seq, digest: { by: 'user', text: `${by} ${seq}` } }))

export const note = (tenant: TenantStore, rows: readonly MessageFacts[], to = id) =>
  change(tenant, { facts: { rows, ledger: sampleLedger() } }, to)

/** What stands there, as who wrote it and where. */
export const told = async (tenant: TenantStore, query: Partial<FactsQuery> = {}) =>
  (await loadFacts(tenant, { id, span: everywhere, ...query }))?.map(({ seq, digest }) =>
    digest?.text.endsWith(` ${seq}`) ? digest.text : `${seq}: ${digest?.text}`,
  )

export const append = (tl: Pick<Bench['tl'], 'conversation'>, to: string, count: number) =>
  tl
    .conversation(to)
    .append(Array.from({ length: count }, () => ({ role: 'user' as const, content: 'x' })))
