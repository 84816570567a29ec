/**
 * What is searched of a conversation in a store. The index ends before the log does, because
 * appending does not wait for it. A search adds what is missing where that is soon done. Where it
 * is not, as after an import, it scans the newest messages that are not indexed, and says which
 * ones it has not searched; the index goes on in the background.
 */
import { defaults } from '../defaults.ts'
import type { PieceQuery } from '../domain/found-pieces.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import { joinFound } from '../extract/join-found.ts'
import type { Recaller, SearchedPieces } from '../flow/read/recaller.ts'
import { type LogScan, scanLog } from '../flow/recall/scan-log.ts'
import type { TenantStore } from '../ports/store.ts'
import { type Indexing, indexOn, type ReadSpan, readerOf } from './indexing.ts'

/** Without `indexing` it only looks: nothing is written. */
export function storeRecaller(
  store: TenantStore,
  id: ConversationId,
  indexing: Indexing | null,
  read: ReadSpan = readerOf(store, id),
): Recaller {
  const scan = gapScanner(store, id)
  return {
    async find(query) {
      let found = await store.find({ id, ...query })
      if (indexing !== null && found !== null && found.indexedTo < query.before) {
        const span = { from: found.indexedTo, to: query.before }
        if (span.to - span.from <= defaults.indexMessages.value) {
          await indexOn(store, id, span, { ...soon, read })
          found = (await store.find({ id, ...query })) ?? found
        }
        if (found.indexedTo < query.before) indexing.add(store, id, query.before)
      }
      if (found === null || found.indexedTo >= query.before)
        return found && { ...found, unsearched: null }
      return scan(query, found.indexedTo)
    },
  }
}

const soon = { characters: defaults.indexCharacters.value, pause: async () => {} }

type GapScanner = (query: PieceQuery, indexedTo: Seq) => Promise<SearchedPieces | null>

/** Remembers what was scanned: one request asks several times, and for messages before other places. */
function gapScanner(store: TenantStore, id: ConversationId): GapScanner {
  const read = readerOf(store, id)
  /** In the order of the log, without gaps. */
  let scans: readonly LogScan[] = []
  return async (query, indexedTo) => {
    if ((scans.at(-1)?.span.to ?? 0) < query.before) scans = []
    const to = scans[0]?.span.from ?? query.before
    const from = Math.max(indexedTo, query.before - defaults.indexMessages.value)
    if (to > from) scans = [await scanLog(read, { from, to }), ...scans]
    const scannedFrom = Math.min(query.before, scans[0]?.span.from ?? query.before)
    const indexed = await store.find({ id, ...query, before: scannedFrom })
    if (indexed === null) return null
    const scanned = scans.map(({ index }) => index.find(query))
    const unsearched = { from: Math.min(indexed.indexedTo, scannedFrom), to: scannedFrom }
    return {
      ...joinFound([indexed, ...scanned], query),
      unsearched: unsearched.from < unsearched.to ? unsearched : null,
    }
  }
}
