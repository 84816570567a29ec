/** Facts noted and told again, for the cases of the contract. */
import type { MessageFacts } from '../domain/fact.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { ConversationChanges } from '../ports/commit-commands.ts'
import type { FactsQuery } from '../ports/state-commands.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { sampleFacts, sampleLedger } from './derived-samples.ts'
import type { Bench } from './store-contract/case.ts'

export const id = 'c' as ConversationId
export const tenantOf = (store: Store) => store.tenant('default' as never)
export const everywhere = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Commits to the version that stands. */
export async function change(tenant: TenantStore, changes: ConversationChanges, to = id) {
  const expectedVersion = (await tenant.conversation(to))?.version ?? 0
  return tenant.commit({ id: to, expectedVersion, changes, at: 9 })
}

/** Rows of these places, each telling who wrote it. */
export const rowsOf = (by: string, ...places: readonly number[]): readonly MessageFacts[] =>
  places.map((seq) => sampleFacts({ seq, digest: { by: 'user', text: `${by} ${seq}` } }))

export const note = (tenant: TenantStore, rows: readonly MessageFacts[], to = id) =>
  change(tenant, { facts: { rows, ledger: sampleLedger() } }, to)

/** What stands there, as who wrote it and where. */
export const told = async (tenant: TenantStore, query: Partial<FactsQuery> = {}) =>
  (await tenant.facts({ id, span: everywhere, ...query }))?.map(({ seq, digest }) =>
    digest?.text.endsWith(` ${seq}`) ? digest.text : `${seq}: ${digest?.text}`,
  )

export const append = (tl: Pick<Bench['tl'], 'conversation'>, to: string, count: number) =>
  tl
    .conversation(to)
    .append(Array.from({ length: count }, () => ({ role: 'user' as const, content: 'x' })))
