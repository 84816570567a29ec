/** Reads what a store has, so that `compareWithMemory` finds every difference. */
import { kindNames } from '../../domain/derived-kinds.ts'
import { storedIn } from '../../domain/message.ts'
import type { IndexedPiece } from '../../domain/search-index.ts'
import type { IndexCommand, RowQuery, SearchQuery, TenantStore } from '../../ports/store.ts'
import { asId } from './store-commands.ts'

/** Everything of one conversation, and the answers to more queries. */
export async function lookAt(tenant: TenantStore, of: string, queries: readonly RowQuery[] = []) {
  const id = asId(of)
  const rows = kindNames.flatMap((kind): RowQuery[] => [{ kind }, { kind, boundTo: 99 }])
  await tenant.load({ id, rows: [...rows, ...queries] })
  await tenant.events({ id, after: 0, limit: 999 })
  const messages = await tenant.read({ id, span: { from: 0, to: 9_999 } })
  for (const { seq, parts } of messages ?? []) {
    await tenant.bytes({ id, seq })
    for (const sha256 of storedIn(parts)) await tenant.bytes({ id, sha256 })
  }
}

/** Everything of the tenant, and of these conversations. */
export async function lookAround(tenant: TenantStore, ids: readonly string[]) {
  await tenant.list({ by: 'id', after: null, limit: 999, parent: null })
  await tenant.list({ by: 'latest', limit: null })
  await tenant.events({ id: null, purged: null, limit: 999 })
  for (const id of ids) await lookAt(tenant, id)
}

export function search(tenant: TenantStore, of: string, query: Partial<SearchQuery>) {
  const everything = { terms: [], partsOfNames: [], before: Number.MAX_SAFE_INTEGER, most: 1_000 }
  return tenant.search({ ...everything, ...query, id: asId(of) })
}

/** Indexes pieces of the messages from the end of the index up to `to`. */
export async function index(tenant: TenantStore, of: string, { to, pieces, wrong = {} }: Indexed) {
  const from = (await search(tenant, of, {}))?.indexedTo ?? 0
  const [last] = (await tenant.read({ id: asId(of), before: to, limit: 1 })) ?? []
  const chain = last?.hashes.chain ?? ''
  return tenant.index({ id: asId(of), from, to, chain, pieces, ...wrong }).catch(() => null)
}

interface Indexed {
  readonly to: number
  readonly pieces: readonly IndexedPiece[]
  /** Fields that the store has to refuse. */
  readonly wrong?: Partial<IndexCommand>
}
