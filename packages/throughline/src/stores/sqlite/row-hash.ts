/**
 * A hash of the cells of a row that no other hash covers: of a message its time, key, marks, answered
 * calls and former hashes, and its body where an original is kept beside it; of a conversation
 * everything but what an append moves, which is checked against the log. Only `doctor` verifies it.
 */
import type { Seq } from '../../domain/ids.ts'
import { sha256 } from '../../system.ts'
import { changedOutside } from './cells.ts'
import type { Row, SqliteConnection, SqliteValue } from './connection.ts'
import { unhex } from './rows.ts'

/** What is hashed of a message. The content hash covers the body unless there is an original. */
export const messageHashCells = `created_at, key, key_hash, marks, answered, former,
  CASE WHEN raw IS NULL THEN NULL ELSE body END AS derived_body`

export const conversationHashCells = `tenant, id, title, title_seq, meta, version, parent_id,
  parent_call, fork_id, fork_at, fork_positions, created_at, pins, pinned_to, compaction, rewrites`

const messageCellNames = [
  ...(['created_at', 'key', 'key_hash', 'marks', 'answered', 'former', 'derived_body'] as const),
]

export type MessageCells = Readonly<Record<(typeof messageCellNames)[number], Row[string]>>

export function messageRowHash(cells: MessageCells): Uint8Array {
  return hashOf(messageCellNames.map((name) => cells[name]))
}

/** The row holds the cells of `conversationHashCells`. */
export function conversationRowHash(row: Row): Uint8Array {
  const names = conversationHashCells.split(/[\s,]+/)
  return hashOf(names.map((name) => row[name] ?? null))
}

/** Changes cells of a conversation, some of which its hash covers. */
export function updateConversation(
  connection: SqliteConnection,
  pk: number,
  cells: Readonly<Record<string, SqliteValue>>,
): void {
  const columns = Object.keys(cells).map((name) => `${name} = ?`)
  const values = Object.values(cells)
  connection.run(`UPDATE conversations SET ${columns.join()} WHERE pk = ?`, ...values, pk)
  hashConversation(connection, pk)
}

/** Called after each change of one of these cells. */
export function hashConversation(connection: SqliteConnection, pk: number): void {
  const row = connection.get(`SELECT ${conversationHashCells} FROM conversations WHERE pk = ?`, pk)
  if (row !== null)
    connection.run(
      'UPDATE conversations SET row_hash = ? WHERE pk = ?',
      conversationRowHash(row),
      pk,
    )
}

/** Of a message whose cells have changed. */
export function hashMessage(connection: SqliteConnection, pk: number, seq: Seq): void {
  const at = 'WHERE place = (? << 32) | ?'
  const row = connection.get(`SELECT ${messageHashCells} FROM messages ${at}`, pk, seq)
  if (row === null) return
  const hash = messageRowHash(row as MessageCells)
  connection.run(`UPDATE messages SET row_hash = ? ${at}`, hash, pk, seq)
}

/** All messages of a file, a page at a time: a body may be large. */
export function* messageRows(connection: SqliteConnection): Generator<Row> {
  let after = -1
  for (;;) {
    const page = connection.all(
      `SELECT place, conversation, seq, row_hash, ${messageHashCells} FROM messages
       WHERE place > ? ORDER BY place LIMIT ${pageRows}`,
      after,
    )
    yield* page
    if (page.length < pageRows) return
    const last = Number(page.at(-1)?.['place'])
    // A damaged tree gives rows in no order, and without an end.
    if (!(last > after)) throw changedOutside('the order of messages')
    after = last
  }
}

const pageRows = 64

/** Half of a hash: it finds damage, and proves nothing to anybody. */
function hashOf(cells: readonly Row[string][]): Uint8Array {
  const values = cells.map((cell) =>
    cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell,
  )
  return unhex(sha256(JSON.stringify(values)).slice(0, hashCharacters))
}

const hashCharacters = 32
