/** Rows whose hash does not fit: somebody or something has changed them from outside. */
import type { Seq } from '../../domain/ids.ts'
import type { Row, SqliteConnection } from './connection.ts'
import {
  conversationHashCells,
  conversationRowHash,
  type MessageCells,
  messageRowHash,
  messageRows,
} from './row-hash.ts'

export interface ChangedRow {
  /** As the file says it, whatever that is. */
  readonly conversation: string
  /** The place of a message; null for the conversation itself. */
  readonly seq: Seq | null
}

export function* changedRows(connection: SqliteConnection): Generator<ChangedRow> {
  const names = new Map<number, string>()
  const conversations = connection.all(
    `SELECT pk, row_hash, ${conversationHashCells} FROM conversations`,
  )
  for (const row of conversations) {
    names.set(Number(row['pk']), String(row['id']))
    if (!isHashed(row, conversationRowHash(row)))
      yield { conversation: String(row['id']), seq: null }
  }
  for (const row of messageRows(connection))
    if (!isHashed(row, messageRowHash(row as MessageCells)))
      yield {
        conversation: names.get(Number(row['conversation'])) ?? `${row['conversation']}`,
        seq: Number(row['seq']),
      }
}

function isHashed(row: Row, hash: Uint8Array): boolean {
  const kept = row['row_hash']
  return kept instanceof Uint8Array && Buffer.compare(kept, hash) === 0
}
