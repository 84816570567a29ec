/** What was derived from messages that have changed goes with them, as `derivedKinds` says, page by page. */
import { derivedKinds, kindNames, MessageChange } from '../../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'
import type { KeptKeys } from '../../domain/forget-turns.ts'
import type { Seq } from '../../domain/ids.ts'
import { type RowSegment, readRows } from '../derived-read.ts'
import { changedOutside } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { deleteRow, ownRows, updateRow } from './derived.ts'
import { rowSegmentsOf } from './read.ts'
import type { ConversationRow } from './rows.ts'

/** Ascending. */
export function forgetDerived(
  connection: SqliteConnection,
  row: ConversationRow,
  places: readonly Seq[],
  keys: KeptKeys,
): void {
  const change = new MessageChange(places, keys)
  const all = 'DELETE FROM derived WHERE conversation = ? AND kind = ?'
  const segments = rowSegmentsOf(connection, row)
  for (const kind of kindNames) {
    const { remains } = derivedKinds[kind]
    if (remains === 'none') connection.run(all, row.pk, kind)
    if (remains === 'other-places')
      for (const seq of places) connection.run(`${all} AND position = ?`, row.pk, kind, seq)
    if (typeof remains === 'function')
      for (const each of rowsToAsk(connection, kind, segments, change)) {
        const left = remains(each, change)
        // Those of its source are asked with its own, and change there.
        if (left === each || !isOwn(segments, each)) continue
        if (left === null) deleteRow(connection, row.pk, each)
        else updateRow(connection, row.pk, left)
      }
  }
}

function isOwn([own]: readonly RowSegment<number>[], { kind, position }: DerivedRow): boolean {
  return derivedKinds[kind].forks !== 'snapshot' || position > (own?.after ?? 0)
}

/** In order of position. Kinds of which there may be many have one row at each, and come in pages. */
function* rowsToAsk(
  connection: SqliteConnection,
  kind: DerivedKind,
  segments: readonly RowSegment<number>[],
  change: MessageChange,
): Generator<DerivedRow> {
  const { forks, positions, remainsBare: bare = false } = derivedKinds[kind]
  const asked = forks === 'snapshot' ? segments : segments.slice(0, 1)
  if (forks === 'snapshot' && !asked.some((each) => reaches(connection, kind, each, change))) return
  const own = ownRows(connection)
  if (positions !== 'next') {
    yield* readRows({ kind, bare }, asked, own)
    return
  }
  for (let from = 0; ; ) {
    const span = { from, to: Number.MAX_SAFE_INTEGER }
    const page = readRows({ kind, span, limit: pageRows, bare }, asked, own)
    yield* page
    if (page.length < pageRows) return
    const last = page.at(-1)?.position ?? 0
    // A damaged tree gives rows in no order, and without an end.
    if (last < from) throw changedOutside('the positions of derived rows')
    from = last + 1
  }
}

const pageRows = 256

/** Most rewrites are of what no turn is remembered of: then no row is read. */
function reaches(
  connection: SqliteConnection,
  kind: DerivedKind,
  { owner, after, last }: RowSegment<number>,
  { first }: MessageChange,
): boolean {
  const found = connection.get(
    `SELECT 1 FROM derived WHERE conversation = ? AND kind = ? AND bound > ?
       AND position > ? AND position <= ? LIMIT 1`,
    ...[owner, kind, first, after, last],
  )
  return found !== null
}
