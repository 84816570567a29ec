/** Rows that a fork has as they were when it was forked: up to a position its source's, then its own. */
import { derivedKinds, kindNames } from '../../domain/derived-kinds.ts'
import type { Seq } from '../../domain/ids.ts'
import type { SqliteConnection } from './connection.ts'
import { copyRows, lastPosition } from './derived.ts'
import { conversationByPk } from './find.ts'
import { rowSegmentsOf } from './read.ts'
import type { ConversationRow } from './rows.ts'

const snapshotKinds = kindNames.filter((kind) => derivedKinds[kind].forks === 'snapshot')

/** The last position up to which the bounds of all rows lie at a place or before it. */
export function positionsBefore(
  connection: SqliteConnection,
  row: ConversationRow,
  place: Seq,
): number {
  for (const { owner, after, last } of rowSegmentsOf(connection, row).toReversed()) {
    const found = connection.get(
      `SELECT min(position) AS beyond FROM derived WHERE conversation = ?
         AND kind IN (SELECT value FROM json_each(?)) AND bound > ? AND position > ? AND position <= ?`,
      ...[owner, JSON.stringify(snapshotKinds), place, after, last],
    )
    const beyond = found?.['beyond'] ?? null
    if (beyond !== null) return Number(beyond) - 1
  }
  const own = snapshotKinds.map((kind) => lastPosition(connection, row.pk, kind))
  return Math.max(row.fork?.positions ?? 0, ...own)
}

/** Up to this position it reads what another one has, which it goes on from. */
export function positionsSharedWith(
  connection: SqliteConnection,
  row: ConversationRow,
  other: number,
): number {
  let shared = Number.MAX_SAFE_INTEGER
  let owner = row
  while (owner.pk !== other && owner.fork !== null) {
    shared = Math.min(shared, owner.fork.positions)
    owner = conversationByPk(connection, owner.fork.pk)
  }
  return shared
}

/** Gives a conversation rows of its own that another one reads; `from` in it, `to` not. */
export function copySnapshot(
  connection: SqliteConnection,
  { of, to }: { readonly of: ConversationRow; readonly to: number },
  positions: { readonly from: number; readonly to: number },
): void {
  for (const { owner, after, last } of rowSegmentsOf(connection, of)) {
    const from = Math.max(after + 1, positions.from)
    const span = { from, to: Math.min(last + 1, positions.to) }
    copyRows(connection, { from: owner, to }, 'snapshot', span)
  }
}
