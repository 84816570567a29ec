/** What an agent remembers of turns whose messages have changed, forgotten page by page. */
import { ForgetTurns, type KeptKeys } from '../../domain/forget-turns.ts'
import type { Seq } from '../../domain/ids.ts'
import { changedOutside } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { turnOf } from './derived-rows.ts'
import type { ConversationRow } from './rows.ts'
import { type TurnSegment, turnSegmentsOf } from './turn-segments.ts'

/** Ascending. Those of its source are read with its own, and forgotten there. */
export function forgetTurns(
  connection: SqliteConnection,
  row: ConversationRow,
  places: readonly Seq[],
  keys: KeptKeys,
): void {
  const segments = turnSegmentsOf(connection, row)
  if (!segments.some((segment) => isNear(connection, segment, places))) return
  const forget = new ForgetTurns(places, keys)
  for (const segment of segments)
    for (let from = segment.from; from < segment.to; from += pageTurns) {
      const to = Math.min(segment.to, from + pageTurns)
      forgetPage(connection, { ...segment, from, to }, { forget, owner: row.pk })
    }
}

/** As records are small, and most conversations hold few. */
const pageTurns = 256

/** Most rewrites are of what no turn is remembered of: then no record is read. */
function isNear(
  connection: SqliteConnection,
  { pk, from, to }: TurnSegment,
  places: readonly Seq[],
): boolean {
  const found = connection.get(
    `SELECT 1 FROM turns WHERE conversation = ? AND turn >= ? AND turn < ?
       AND messages_to > ? AND messages_from <= ? LIMIT 1`,
    pk,
    from,
    to,
    places[0] ?? 0,
    places.at(-1) ?? 0,
  )
  return found !== null
}

function forgetPage(
  connection: SqliteConnection,
  { pk, from, to }: TurnSegment,
  { forget, owner }: { readonly forget: ForgetTurns; readonly owner: number },
): void {
  const rows = connection.all(
    'SELECT body FROM turns WHERE conversation = ? AND turn >= ? AND turn < ? ORDER BY turn',
    pk,
    from,
    to,
  )
  // They are numbered without a gap. With one there may be no end of pages.
  if (rows.length < to - from) throw changedOutside('the numbers of turns')
  for (const { body } of rows) {
    const record = turnOf(body)
    const left = record && forget.take(record)
    if (left === null || pk !== owner) continue
    connection.run(
      'UPDATE turns SET body = ? WHERE conversation = ? AND turn = ?',
      JSON.stringify(left),
      pk,
      left.turn,
    )
    if (left.forgotten)
      connection.run('DELETE FROM steps WHERE conversation = ? AND turn = ?', pk, left.turn)
  }
}
