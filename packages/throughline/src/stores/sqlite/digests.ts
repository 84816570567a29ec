/** What models have told of large messages, one row each. */
import type { DigestRecord } from '../../domain/digest-record.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Span } from '../../domain/span.ts'
import type { SqliteConnection } from './connection.ts'
import { digestOf } from './derived-rows.ts'
import { segmentsOf } from './read.ts'
import type { ConversationRow } from './rows.ts'

export function writeDigest(connection: SqliteConnection, pk: number, record: DigestRecord): void {
  connection.run(
    'INSERT OR REPLACE INTO digests (conversation, seq, body) VALUES (?, ?, ?)',
    pk,
    record.seq,
    JSON.stringify(record),
  )
}

/** Before its point a fork reads those of its source, where it has none of its own. */
export function readDigests(
  connection: SqliteConnection,
  row: ConversationRow,
  { from, to }: Span,
): readonly DigestRecord[] {
  const found = new Map<Seq, DigestRecord>()
  for (const { pk, span } of segmentsOf(connection, row)) {
    const rows = connection.all(
      'SELECT body FROM digests WHERE conversation = ? AND seq >= ? AND seq < ?',
      pk,
      from,
      pk === row.pk ? to : Math.min(to, span.to),
    )
    for (const { body } of rows) {
      const record = digestOf(body)
      if (record !== null) found.set(record.seq, record)
    }
  }
  return [...found.values()].sort((left, right) => left.seq - right.seq)
}
