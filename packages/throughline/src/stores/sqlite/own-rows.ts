/**
 * A fork that gets rows of its own from an earlier place on: those that it shared are copied, with
 * their files and with what was derived from each, so that to whoever reads it nothing changes.
 */
import type { Seq } from '../../domain/ids.ts'
import { storedIn } from '../../domain/message.ts'
import type { Span } from '../../domain/span.ts'
import type { SqliteConnection } from './connection.ts'
import { copyRows } from './derived.ts'
import { conversationByPk } from './find.ts'
import { indexAgain } from './pieces.ts'
import { segmentsOf } from './read.ts'
import { updateConversation } from './row-hash.ts'
import { bodyOf, type ConversationRow, unhex } from './rows.ts'
import { copySnapshot, positionsBefore, positionsSharedWith } from './snapshots.ts'

export function ownFrom(connection: SqliteConnection, row: ConversationRow, seq: Seq): void {
  const { pk, fork } = row
  if (fork === null || seq >= fork.at) return
  const sources = segmentsOf(connection, row).filter((segment) => segment.pk !== pk)
  // The nearest first: what it has told itself hides what others have.
  for (const { pk: from, span } of sources.toReversed()) {
    const { to } = span
    copyRows(connection, { from, to: pk }, 'rows', { from: seq, to })
    copyMessages(connection, from, pk, { from: Math.max(seq, span.from), to })
  }
  indexAgain(connection, pk)
  let source = conversationByPk(connection, fork.pk)
  while (source.fork !== null && seq <= source.fork.at) {
    // It is referred to no longer, and may have told of messages that it does not hold.
    copyRows(connection, { from: source.pk, to: pk }, 'rows', { from: 0, to: seq })
    source = conversationByPk(connection, source.fork.pk)
  }
  const positions = Math.min(
    positionsBefore(connection, row, seq),
    positionsSharedWith(connection, row, source.pk),
  )
  const shared = { from: positions + 1, to: fork.positions + 1 }
  copySnapshot(connection, { of: row, to: pk }, shared)
  const { id } = source.conversation
  const point = { fork_pk: source.pk, fork_id: id, fork_at: seq, fork_positions: positions }
  updateConversation(connection, pk, point)
}

const messageCells =
  'created_at, key, key_hash, content_hash, canonical_hash, chain_hash, marks, answered, body, raw, former, row_hash'

const inSpan = 'place >= (? << 32) | ? AND place < (? << 32) | ?'

function copyMessages(connection: SqliteConnection, from: number, to: number, span: Span): void {
  connection.run(
    `INSERT INTO messages (place, ${messageCells})
     SELECT (? << 32) | seq, ${messageCells} FROM messages WHERE ${inSpan}`,
    to,
    ...[from, span.from, from, span.to],
  )
  for (let seq = span.from; seq < span.to; seq += 1) copyFiles(connection, from, to, seq)
}

/** One message at a time: a body may be large. */
function copyFiles(connection: SqliteConnection, from: number, to: number, seq: Seq): void {
  const found = connection.get('SELECT body FROM messages WHERE place = (? << 32) | ?', to, seq)
  for (const sha256 of storedIn(bodyOf(found?.['body'], `message ${seq}`).parts))
    connection.run(
      `INSERT INTO files (conversation, sha256, seq, bytes)
       SELECT ?, sha256, ?, bytes FROM files WHERE conversation = ? AND sha256 = ?
       ON CONFLICT (conversation, sha256) DO UPDATE SET seq = min(seq, excluded.seq)`,
      ...[to, seq, from, unhex(sha256)],
    )
}
