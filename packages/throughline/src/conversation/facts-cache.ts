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
  return {
    async read({ store, id }, { serial, conversation: { rewrites } }, { before, limit, trust }) {
      const only = trust === null ? {} : { trust }
      const load = async (span: Span, most: { readonly limit?: number }) =>
        (await loadFacts(store, { id, span, newestFirst: true, ...only, ...most })) ?? []
      const key = `${serial} ${trust}`
      const found = byKey.get(key)
      const isValid = found?.rewrites === rewrites && found.span.from <= before
      const known = isValid ? found : { span: { from: before, to: before }, rows: [], rewrites }
      const { from, to } = known.span
      const newer = to < before ? await load({ from: to, to: before }, {}) : []
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
