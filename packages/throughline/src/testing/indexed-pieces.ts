/** Pieces indexed and found again, for the cases of the contract. */
import type { ConversationId } from '../domain/ids.ts'
import { type IndexedPiece, partOfPiece, seqOfPiece } from '../domain/search-index.ts'
import type { Found, IndexCommand, SearchQuery, TenantStore } from '../ports/store.ts'
import { id } from './store-contract/case.ts'

/** A piece of these terms; as many words as terms, unless it is said. */
export function samplePiece(
  seq: number,
  terms: string,
  others: Partial<IndexedPiece> = {},
): IndexedPiece {
  const list = terms.split(' ').filter((term) => term !== '')
  return { seq, part: 0, terms: list, names: [], length: list.length, ...others }
}

/** A command for the messages up to `to`, as they stand, from where the index ends. */
export async function indexCommand(
  tenant: TenantStore,
  to: number,
  pieces: readonly IndexedPiece[],
  of: ConversationId = id,
): Promise<IndexCommand> {
  const from = (await look(tenant, {}, of))?.indexedTo ?? 0
  const [last] = (await tenant.read({ id: of, before: to, limit: 1 })) ?? []
  return { id: of, from, to, chain: last?.hashes.chain ?? '', pieces }
}

export async function indexUpTo(
  tenant: TenantStore,
  to: number,
  pieces: readonly IndexedPiece[],
  of: ConversationId = id,
): Promise<string> {
  return (await tenant.index(await indexCommand(tenant, to, pieces, of))).kind
}

export function look(
  tenant: TenantStore,
  query: Partial<SearchQuery>,
  of: ConversationId = id,
): Promise<Found | null> {
  const everything = { terms: [], partsOfNames: [], before: Number.MAX_SAFE_INTEGER, most: 1_000 }
  return tenant.search({ ...everything, ...query, id: of })
}

/**
 * For each match its places, such as "3 7.1×12": piece 1 of message 7 has 12 words; or how many
 * there are.
 */
export async function placesOf(
  tenant: TenantStore,
  query: Partial<SearchQuery>,
  of: ConversationId = id,
): Promise<readonly string[] | null> {
  return (await look(tenant, query, of))?.matches.map(spelled) ?? null
}

function spelled({ count, places }: Found['matches'][number]): string {
  if (places === null) return `${count} in all`
  const texts = places.keys.map((key, index) => {
    const part = partOfPiece(key)
    const length = places.lengths[index]
    return `${seqOfPiece(key)}${part === 0 ? '' : `.${part}`}${length === 1 ? '' : `×${length}`}`
  })
  return count === texts.length ? texts.join(' ') : `${count} counted: ${texts.join(' ')}`
}
