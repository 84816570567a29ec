/** Writing the messages of one append. */
import type { PlacedEntry } from '../../domain/placement.ts'
import type { SqliteConnection } from './connection.ts'
import { unhex } from './rows.ts'
import { addWaitingCall, endWaitingCall } from './waiting-calls.ts'

/** The messages of one append, with the calls that they leave waiting. */
export function writeEntries(
  connection: SqliteConnection,
  pk: number,
  entries: readonly PlacedEntry[],
): void {
  const answeredHere = new Set(
    entries.flatMap(({ answered }) =>
      answered.map(({ callId, callSeq }) => `${callSeq} ${callId}`),
    ),
  )
  for (const entry of entries) {
    writeMessage(connection, pk, entry)
    for (const callId of entry.message.calls)
      if (!answeredHere.has(`${entry.seq} ${callId}`))
        addWaitingCall(connection, pk, { callId, seq: entry.seq })
    for (const { callId, callSeq } of entry.answered)
      if (callSeq < (entries[0]?.seq ?? 0)) endWaitingCall(connection, pk, { callId, seq: callSeq })
  }
}

function writeMessage(connection: SqliteConnection, pk: number, entry: PlacedEntry): void {
  const { message, seq } = entry
  connection.run(
    `INSERT INTO messages (place, created_at, key, key_hash, content_hash,
       canonical_hash, chain_hash, marks, answered, body, raw)
     VALUES ((? << 32) | ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    pk,
    seq,
    message.createdAt,
    message.key?.value ?? null,
    message.key && unhex(message.key.hash),
    unhex(message.contentHash),
    unhex(message.canonicalHash),
    unhex(entry.chain),
    entry.marks.length === 0 ? null : JSON.stringify(entry.marks),
    entry.answered.length === 0 ? null : JSON.stringify(entry.answered),
    message.body,
    message.raw,
  )
  for (const file of message.files)
    connection.run(
      'INSERT OR IGNORE INTO files (conversation, sha256, seq, bytes) VALUES (?, ?, ?, ?)',
      pk,
      unhex(file.sha256),
      seq,
      file.bytes,
    )
}
