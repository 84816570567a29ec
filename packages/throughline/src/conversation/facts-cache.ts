/**
 * Caches the facts of recently used conversations: each compaction reads many of them, and only a
 * rewrite of the log changes stored ones.
 */
import { defaults } from '../defaults-data.ts'
import { loadFacts } from '../derived/rows.ts'
import type { ConversationState } from '../derived/state.ts'
import type { Seq } from '../domain/ids.ts'
import type { FactTrust, MessageFacts } from '../domain/ledger.ts'
import type { Span } from '../domain/span.ts'
import type { StoredConversation } from '../ports/store.ts'
import { RecentMap } from './message-cache.ts'

export interface FactsCache {
  /** Facts before a position, newest first; all of them must be extracted. */
  read(
    chat: StoredConversation,
    state: Pick<ConversationState, 'serial' | 'conversation'>,
    query: { readonly before: Seq; readonly limit: number; readonly trust: FactTrust | null },
  ): Promise<readonly MessageFacts[]>
  /** The rows of a span up to the first that is not extracted, in order. */
  readSpan(
    chat: StoredConversation,
    state: Pick<ConversationState, 'serial' | 'conversation'>,
    span: Span,
  ): Promise<readonly MessageFacts[]>
}

/** All rows of a span, newest first. */
interface Known {
  readonly span: Span
  readonly rows: readonly MessageFacts[]
  readonly rewrites: number
}

export function createFactsCache(): FactsCache {
  const byKey = new RecentMap<string, Known>(
    defaults.knownFactRows.value,
    ({ rows }) => rows.length,
  )
  const knownOf = (key: string, rewrites: number, before: Seq): Known => {
    const found = byKey.get(key)
    const isValid = found?.rewrites === rewrites && found.span.from <= before
    return isValid ? found : { span: { from: before, to: before }, rows: [], rewrites }
  }
  const readSpan: FactsCache['readSpan'] = async ({ store, id }, state, { from, to }) => {
    const { serial, conversation } = state
    const key = `${serial} ${null}`
    const known = knownOf(key, conversation.rewrites, from)
    const hits = known.rows.filter(({ seq }) => seq >= from && seq < to).reverse()
    const start = Math.max(from, known.span.to)
    if (start >= to) return hits
    const loaded = (await loadFacts(store, { id, span: { from: start, to } })) ?? []
    const gap = loaded.findIndex(({ seq }, index) => seq !== start + index)
    const rows = gap === -1 ? loaded : loaded.slice(0, gap)
    const span = { from: known.span.from, to: start + rows.length }
    // A span that begins after what is known would leave a gap.
    if (start === known.span.to)
      byKey.set(key, { ...known, span, rows: [...rows.toReversed(), ...known.rows] })
    return [...hits, ...rows]
  }
  return {
    readSpan,
    async read(chat, state, { before, limit, trust }) {
      const { store, id } = chat
      const { serial, conversation } = state
      const { rewrites } = conversation
      const only = trust === null ? {} : { trust }
      const load = async (span: Span, most: { readonly limit?: number }) =>
        (await loadFacts(store, { id, span, newestFirst: true, ...only, ...most })) ?? []
      const key = `${serial} ${trust}`
      const known = knownOf(key, rewrites, before)
      const { from, to } = known.span
      // Rows of all messages were mostly just read, for the ledger.
      const newer =
        to >= before
          ? []
          : trust === null
            ? await load({ from: to, to: before }, {})
            : (await readSpan(chat, state, { from: to, to: before }))
                .filter((row) => row.trust === trust)
                .reverse()
      const rows = [...newer, ...known.rows]
      const hits = rows.filter(({ seq }) => seq < before)
      const missing = from === 0 ? 0 : limit - hits.length
      const older = missing > 0 ? await load({ from: 0, to: from }, { limit: missing }) : []
      const oldest = older.length < missing ? 0 : (older.at(-1)?.seq ?? from)
      if (to < before || missing > 0)
        byKey.set(key, {
          span: { from: oldest, to: Math.max(to, before) },
          rows: [...rows, ...older],
          rewrites,
        })
      return [...hits, ...older].slice(0, limit)
    },
  }
}
