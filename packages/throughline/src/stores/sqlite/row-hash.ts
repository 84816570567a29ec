/**
 * A hash of the cells that no other hash covers. Of a conversation, cells that an append changes
 * are left out; the log verifies those. Only `doctor` verifies this hash.
 */
import { sha256 } from '../../system.ts'
import { changedOutside, hexBytes } from './cells.ts'
import type { Row, SqliteConnection } from './connection.ts'
import type { SqliteLog } from './rows.ts'

/** The hashed cells of a message. The content hash covers the body unless there is an original. */
export const messageHashCells = `created_at, key, key_hash, marks, answered, origin, former,
  CASE WHEN raw IS NULL THEN NULL ELSE body END AS derived_body`

const messageCellNames = 'created_at key key_hash marks answered origin former derived_body'.split(
  ' ',
)

export const conversationHashCells = `tenant, id, title, title_seq, meta, version, parent_id,
  parent_call, fork_id, fork_at, fork_positions, created_at, pins, pinned_to, compaction, rewrites`

const conversationCellNames = conversationHashCells.split(/[\s,]+/)

/** The row must have the cells of `messageHashCells`. */
export function messageRowHash(row: Row): Uint8Array {
  return hashOf(row, messageCellNames)
}

/** The row must have the cells of `conversationHashCells`. */
export function conversationRowHash(row: Row): Uint8Array {
  return hashOf(row, conversationCellNames)
}

export function updateConversation({ connection, pk }: SqliteLog, cells: Row): void {
  connection.update('conversations', cells, 'pk = ?', [pk])
  hashConversation({ connection, pk })
}

export function hashConversation({ connection, pk }: SqliteLog): void {
  const row = connection.get(`SELECT ${conversationHashCells} FROM conversations WHERE pk = ?`, [
    pk,
  ])
  connection.update('conversations', { row_hash: row && conversationRowHash(row) }, 'pk = ?', [pk])
}

/** All messages of a file, a page at a time: a body may be large. */
export function* messageRows(connection: SqliteConnection): Generator<Row> {
  let after = -1
  for (;;) {
    const page = connection.all(
      `SELECT place, conversation, seq, row_hash, ${messageHashCells} FROM messages
       WHERE place > ? ORDER BY place LIMIT ${pageRows}`,
      [after],
    )
    yield* page
    if (page.length < pageRows) return
    const last = Number(page.at(-1)?.['place'])
    // A damaged tree may return rows in any order, without end.
    if (!(last > after)) throw changedOutside('the order of messages')
    after = last
  }
}

const pageRows = 64

/** Half of a hash, which finds damage but is no proof. */
function hashOf(row: Row, names: readonly string[]): Uint8Array {
  const values = names.map((name) => {
    const cell = row[name] ?? null
    return cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell
  })
  return hexBytes(sha256(JSON.stringify(values)).slice(0, hashCharacters))
}

const hashCharacters = 32
