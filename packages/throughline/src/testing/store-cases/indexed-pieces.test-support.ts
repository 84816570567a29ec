/** Indexes and finds pieces, for the cases of the contract. */
import { type IndexedPiece, partOfPiece, seqOfPiece } from '../../domain/search-index.ts'
import type { Found, SearchQuery, TenantStore } from '../../ports/store.ts'
import { id } from './case.test-support.ts'

/** A piece with these terms; its length is their number by default. */
export function samplePiece(seq: number, terms: string, others: Partial<IndexedPiece> = {}) {
  const list = terms.split(' ').filter((term) => term !== '')
  return { seq, part: 0, terms: list, names: [], length: list.length, ...others }
}

type Pieces = readonly IndexedPiece[]

/** A valid command for the messages from the end of the index up to `to`. */
export async function indexCommand(tenant: TenantStore, to: number, pieces: Pieces, of = id) {
  const from = (await search(tenant, {}, of))?.indexedTo ?? 0
  const [last] = (await tenant.read({ id: of, before: to, limit: 1 })) ?? []
  return { id: of, from, to, chain: last?.hashes.chain ?? '', pieces }
}

export async function indexUpTo(tenant: TenantStore, to: number, pieces: Pieces, of = id) {
  return (await tenant.index(await indexCommand(tenant, to, pieces, of))).kind
}

export function search(tenant: TenantStore, query: Partial<SearchQuery>, of = id) {
  const everything = { terms: [], partsOfNames: [], before: Number.MAX_SAFE_INTEGER, most: 1_000 }
  return tenant.search({ ...everything, ...query, id: of })
}

/** Each match as text: "3 7.1" has piece 0 of message 3 and piece 1 of message 7. Or only the number. */
export async function placesOf(tenant: TenantStore, query: Partial<SearchQuery>, of = id) {
  return (await search(tenant, query, of))?.matches.map(matchText) ?? null
}

function matchText({ count, keys }: Found['matches'][number]): string {
  if (keys === null) return `${count} in all`
  const texts = keys.map((key) => {
    const part = partOfPiece(key)
    return part === 0 ? `${seqOfPiece(key)}` : `${seqOfPiece(key)}.${part}`
  })
  return count === texts.length ? texts.join(' ') : `${count} counted: ${texts.join(' ')}`
}
