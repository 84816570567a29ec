/** Writing the messages of one append. */
import type { PlacedEntry } from '../../domain/placement.ts'
import type { SqliteConnection } from './connection.ts'
import { messageRowHash } from './row-hash.ts'
import { listCell, unhex } from './rows.ts'
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
  const cells = {
    created_at: message.createdAt,
    key: message.key?.value ?? null,
    key_hash: message.key && unhex(message.key.hash),
    marks: listCell(entry.marks),
    answered: listCell(entry.answered),
    former: null,
    derived_body: message.raw && message.body,
  }
  connection.run(
    `INSERT INTO messages (place, created_at, key, key_hash, content_hash,
       canonical_hash, chain_hash, marks, answered, body, raw, row_hash)
     VALUES ((? << 32) | ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    pk,
    seq,
    cells.created_at,
    cells.key,
    cells.key_hash,
    unhex(message.contentHash),
    unhex(message.canonicalHash),
    unhex(entry.chain),
    cells.marks,
    cells.answered,
    message.body,
    message.raw,
    messageRowHash(cells),
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
