/**
 * Reading the messages of one conversation. Those before a fork's point stand in its
 * source's rows, so every look at the log goes through the segments it is made of.
 */
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Span } from '../domain/span.ts'
import { assertInvariant, INVARIANT } from '../invariants.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { conversationByPk } from './sqlite-find.ts'
import { bytesOf, type ConversationRow, messageColumns, messageOf, unhex } from './sqlite-rows.ts'

interface Segment {
  readonly pk: number
  readonly span: Span
}

/** Oldest first; they tile [0, head). */
export function segmentsOf(connection: SqliteConnection, row: ConversationRow): readonly Segment[] {
  const segments: Segment[] = []
  let owner = row
  let to = row.conversation.head
  while (owner.fork !== null) {
    segments.unshift({ pk: owner.pk, span: { from: owner.fork.at, to } })
    to = owner.fork.at
    owner = conversationByPk(connection, owner.fork.pk)
  }
  segments.unshift({ pk: owner.pk, span: { from: 0, to } })
  return segments
}

export function readSpan(
  connection: SqliteConnection,
  row: ConversationRow,
  span: Span,
): readonly Message[] {
  const messages = segmentsOf(connection, row).flatMap((segment) =>
    connection
      .all(
        `SELECT ${messageColumns} FROM messages
         WHERE place >= (? << 32) + ? AND place < (? << 32) + ? ORDER BY place`,
        segment.pk,
        Math.max(segment.span.from, span.from),
        segment.pk,
        Math.min(segment.span.to, span.to),
      )
      .map((found) => messageOf(found, row.conversation.id)),
  )
  const expected = Math.max(0, Math.min(span.to, row.conversation.head) - span.from)
  assertInvariant(
    messages.length === expected,
    INVARIANT.dense,
    `conversation "${row.conversation.id}": ${messages.length} messages in [${span.from}, ${span.to}), not ${expected}`,
  )
  return messages
}

export function readOriginal(
  connection: SqliteConnection,
  row: ConversationRow,
  seq: Seq,
): Uint8Array | null {
  const segment = segmentsOf(connection, row).find(({ span }) => seq < span.to)
  if (segment === undefined) return null
  const found = connection.get(
    'SELECT coalesce(raw, CAST(body AS BLOB)) AS bytes FROM messages WHERE place = (? << 32) + ?',
    segment.pk,
    seq,
  )
  return found && bytesOf(found['bytes'])
}

export function readFile(
  connection: SqliteConnection,
  row: ConversationRow,
  sha256: string,
): Uint8Array | null {
  for (const segment of segmentsOf(connection, row)) {
    const found = connection.get(
      'SELECT bytes FROM files WHERE conversation = ? AND sha256 = ? AND seq < ?',
      segment.pk,
      unhex(sha256),
      segment.span.to,
    )
    if (found !== null) return bytesOf(found['bytes'])
  }
  return null
}
