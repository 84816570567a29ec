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

type FactsState = Pick<ConversationState, 'serial'> & {
  readonly conversation: Pick<ConversationState['conversation'], 'rewrites'>
}

export interface FactsCache {
  /** Facts before a position, newest first; all of them must be extracted. */
  read(
    chat: StoredConversation,
    state: FactsState,
    query: { readonly before: Seq; readonly limit: number; readonly trust: FactTrust | null },
  ): Promise<readonly MessageFacts[]>
  /** The rows of a span up to the first that is not extracted, in order. */
  readSpan(
    chat: StoredConversation,
    state: FactsState,
    span: Span,
  ): Promise<readonly MessageFacts[]>
  /** Adds rows that were just written, unless they are cached. */
  extend(state: FactsState, rows: readonly MessageFacts[]): void
}

/** All rows of a span, in order. */
interface Known extends Span {
  readonly rows: readonly MessageFacts[]
  readonly rewrites: number
}

export function createFactsCache(): FactsCache {
  const byKey = new RecentMap<string, Known>(defaults.knownFactRows, ({ rows }) => rows.length)
  const keyOf = ({ serial }: FactsState, trust: FactTrust | null) => `${serial} ${trust}`
  const knownOf = (key: string, { conversation }: FactsState, before: Seq): Known => {
    const { rewrites } = conversation
    const found = byKey.get(key)
    const isValid = found?.rewrites === rewrites && found.from <= before
    return isValid ? found : { from: before, to: before, rows: [], rewrites }
  }
  /** After a gap, only the newer rows stay known: a compaction needs those. */
  const extend = (key: string, known: Known, from: Seq, loaded: readonly MessageFacts[]) => {
    const rows = dense(loaded, from)
    const all = from === known.to ? [...known.rows, ...rows] : rows
    const start = from === known.to ? known.from : from
    byKey.set(key, { ...known, from: start, to: from + rows.length, rows: all })
    return rows
  }
  const readSpan: FactsCache['readSpan'] = async ({ store, id }, state, { from, to }) => {
    const key = keyOf(state, null)
    const known = knownOf(key, state, from)
    const hits = rowsWithin(known.rows, { from, to })
    const start = Math.max(from, known.to)
    if (start >= to) return hits
    const loaded = (await loadFacts(store, { id, span: { from: start, to } })) ?? []
    return [...hits, ...extend(key, known, start, loaded)]
  }
  return {
    readSpan,
    extend(state, rows) {
      const [first] = rows
      if (first === undefined) return
      const key = keyOf(state, null)
      const known = knownOf(key, state, first.seq)
      if (known.to <= first.seq) extend(key, known, first.seq, rows)
    },
    async read(chat, state, { before, limit, trust }) {
      const { store, id } = chat
      const only = trust === null ? {} : { trust }
      const load = async (span: Span, most: { readonly limit?: number }) =>
        (await loadFacts(store, { id, span, newestFirst: true, ...only, ...most })) ?? []
      const key = keyOf(state, trust)
      const known = knownOf(key, state, before)
      const { from, to } = known
      // Rows of all messages were mostly just read, for the ledger.
      const newer =
        to >= before
          ? []
          : trust === null
            ? (await load({ from: to, to: before }, {})).toReversed()
            : (await readSpan(chat, state, { from: to, to: before })).filter(
                (row) => row.trust === trust,
              )
      const rows = newer.length === 0 ? known.rows : [...known.rows, ...newer]
      const found = rowsWithin(rows, { from: 0, to: before })
      const hits = found.slice(Math.max(0, found.length - limit))
      const missing = from === 0 ? 0 : limit - hits.length
      const older = missing > 0 ? await load({ from: 0, to: from }, { limit: missing }) : []
      if (to < before || missing > 0)
        byKey.set(key, {
          ...known,
          from: older.length < missing ? 0 : (older.at(-1)?.seq ?? from),
          to: Math.max(to, before),
          rows: [...older.toReversed(), ...rows],
        })
      return [...hits.reverse(), ...older]
    },
  }
}

/** The rows up to the first that is missing. */
function dense(rows: readonly MessageFacts[], from: Seq): readonly MessageFacts[] {
  const gap = rows.findIndex(({ seq }, index) => seq !== from + index)
  return gap === -1 ? rows : rows.slice(0, gap)
}

/** Most reads want the newest rows, so the search begins there. */
function rowsWithin(rows: readonly MessageFacts[], { from, to }: Span): MessageFacts[] {
  const end = rows.findLastIndex(({ seq }) => seq < to) + 1
  let start = end
  while (start > 0 && (rows[start - 1]?.seq ?? 0) >= from) start -= 1
  return rows.slice(start, end)
}
