/**
 * What is searched of a conversation in a store. The index is behind the log, because appending
 * does not wait for it: what is missing is added when somebody searches, as far as they should
 * wait for it, and behind them.
 */
import { defaults } from '../defaults.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Recaller } from '../flow/read/recaller.ts'
import { indexedPieces } from '../flow/recall/message-pieces.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'

export function storeRecaller(store: TenantStore, id: ConversationId, front: Front): Recaller {
  return {
    async find(query) {
      const found = await store.find({ id, ...query })
      if (found === null || found.indexedTo >= query.before) return found
      const most = defaults.indexMessages.value
      const to = Math.min(query.before, found.indexedTo + most)
      await indexOn(store, id, { from: found.indexedTo, to })
      if (to < query.before) indexLater(store, id, query.before, front)
      return store.find({ id, ...query })
    },
  }
}

/** Only looks: what is not indexed yet is not found. */
export function lookingRecaller(store: TenantStore, id: ConversationId): Recaller {
  return { find: (query) => store.find({ id, ...query }) }
}

/** Behind a request: so that the next one that searches finds it done. */
export function indexLater(
  store: TenantStore,
  id: ConversationId,
  to: Seq,
  { background, indexing }: Pick<Front, 'background' | 'indexing'>,
): void {
  if (!indexing.begins(store, id)) return
  background.run(async (pause) => {
    try {
      const nothing = { id, terms: [], partsOfNames: [], before: 0, most: 0 }
      const found = await store.find(nothing)
      if (found !== null && found.indexedTo < to)
        await indexOn(store, id, { from: found.indexedTo, to }, pause)
    } finally {
      indexing.ended(store, id)
    }
  })
}

export async function indexOn(
  store: TenantStore,
  id: ConversationId,
  span: { readonly from: Seq; readonly to: Seq },
  pause: () => Promise<void> = async () => {},
): Promise<void> {
  for (let from = span.from; from < span.to; ) {
    const to = Math.min(span.to, from + pageMessages)
    const messages = (await store.read({ id, span: { from, to } })) ?? []
    const last = messages.at(-1)
    if (last === undefined) return
    const pieces = messages.flatMap(indexedPieces)
    const command = { id, from, to: last.seq + 1, chain: last.hashes.chain, pieces }
    const outcome = await store.index(command)
    if (outcome.kind === 'not-found') return
    // Somebody else may have indexed some of it, or the log is another one.
    if (outcome.kind === 'moved' && outcome.indexedTo <= from) return
    from = outcome.kind === 'moved' ? outcome.indexedTo : last.seq + 1
    await pause()
  }
}

/** So many are analysed between two pauses: some milliseconds. */
const pageMessages = 64
