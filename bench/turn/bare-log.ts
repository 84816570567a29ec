/** A table with the columns and sizes of our own rows, without anything that protects them. */
import { DatabaseSync } from 'node:sqlite'
import { sha256 } from 'throughline/stores'
import type { MessageInput } from '../../packages/throughline/src/domain/message.ts'

export interface BareLog {
  readonly database: DatabaseSync
  writeAt(place: number, message: MessageInput): void
}

export function openBareLog(file: string, durability: 'full' | 'normal' = 'full'): BareLog {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability};
    CREATE TABLE IF NOT EXISTS messages (place INTEGER PRIMARY KEY, created_at INTEGER NOT NULL,
      key TEXT, key_hash BLOB, content_hash BLOB NOT NULL, canonical_hash BLOB NOT NULL,
      chain_hash BLOB NOT NULL, marks TEXT, answered TEXT, body TEXT NOT NULL, raw BLOB) STRICT`)
  const insert = database.prepare(
    'INSERT INTO messages VALUES (?, ?, NULL, NULL, ?, ?, ?, NULL, NULL, ?, NULL)',
  )
  return {
    database,
    writeAt: (place, message) => {
      const body = JSON.stringify(message)
      const hash = Buffer.from(sha256(body), 'hex')
      insert.run(place, Date.now(), hash, hash, hash, body)
    },
  }
}
