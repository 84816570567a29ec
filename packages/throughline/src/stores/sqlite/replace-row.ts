/** One row of the log with another message in it, and the files that only the old one had gone. */
import type { Seq } from '../../domain/ids.ts'
import { removedMark } from '../../domain/removed-message.ts'
import { storedIn } from '../../domain/stored-files.ts'
import type { RowChange } from '../rewrite-log.ts'
import type { SqliteConnection } from './connection.ts'
import { hashMessage } from './row-hash.ts'
import { bodyOf, unhex } from './rows.ts'

export function replaceRow(
  connection: SqliteConnection,
  pk: number,
  seq: Seq,
  { message, createdAt, removed, keepsKey, former }: RowChange,
): void {
  const old = storedAt(connection, pk, seq)
  connection.run(
    `UPDATE messages SET body = ?, raw = ?, content_hash = ?, canonical_hash = ?, marks = ?, former = ?,
       created_at = coalesce(?, created_at) WHERE place = (? << 32) | ?`,
    message.body,
    message.raw,
    unhex(message.contentHash),
    unhex(message.canonicalHash),
    removed ? JSON.stringify([removedMark]) : null,
    former.length === 0 ? null : JSON.stringify(former),
    createdAt,
    pk,
    seq,
  )
  if (!keepsKey)
    connection.run(
      'UPDATE messages SET key = NULL, key_hash = NULL WHERE place = (? << 32) | ?',
      pk,
      seq,
    )
  hashMessage(connection, { pk, seq })
  for (const { sha256, bytes } of message.files)
    connection.run(
      `INSERT INTO files (conversation, sha256, seq, bytes) VALUES (?, ?, ?, ?)
       ON CONFLICT (conversation, sha256) DO UPDATE SET seq = min(seq, excluded.seq)`,
      pk,
      unhex(sha256),
      seq,
      bytes,
    )
  for (const sha256 of new Set(old)) settleFile(connection, pk, sha256)
}

function storedAt(connection: SqliteConnection, pk: number, seq: Seq): readonly string[] {
  const row = connection.get('SELECT body FROM messages WHERE place = (? << 32) | ?', pk, seq)
  return storedIn(bodyOf(row?.['body'], `message ${seq}`).parts)
}

/** It belongs to the first message that holds it, and to none where none does. */
function settleFile(connection: SqliteConnection, pk: number, sha256: string): void {
  const naming = connection
    .all(
      `SELECT seq FROM messages
       WHERE place >= ? << 32 AND place < (? + 1) << 32 AND instr(body, ?) > 0 ORDER BY place`,
      pk,
      pk,
      sha256,
    )
    .map((row) => Number(row['seq']))
  // A hash may also be something that somebody wrote.
  const first = naming.find((seq) => storedAt(connection, pk, seq).includes(sha256))
  if (first === undefined)
    connection.run('DELETE FROM files WHERE conversation = ? AND sha256 = ?', pk, unhex(sha256))
  else
    connection.run(
      'UPDATE files SET seq = ? WHERE conversation = ? AND sha256 = ?',
      first,
      pk,
      unhex(sha256),
    )
}
