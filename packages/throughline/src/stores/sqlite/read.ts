/**
 * Reading the messages of one conversation. Those before a fork's point stand in its
 * source's rows, so every look at the log goes through the segments it is made of.
 */
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Span } from '../../domain/span.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import type { ReadQuery } from '../../ports/store.ts'
import type { RowSegment } from '../derived-read.ts'
import { bytesCell } from './cells.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { conversationByPk } from './find.ts'
import { type ConversationRow, messageColumns, messageOf, unhex } from './rows.ts'

export interface Segment {
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

/** The same for derived rows, the conversation itself first. */
export function rowSegmentsOf(
  connection: SqliteConnection,
  row: ConversationRow,
): readonly RowSegment<number>[] {
  const segments: RowSegment<number>[] = []
  let [to, last] = [row.conversation.head, Number.MAX_SAFE_INTEGER - 1]
  for (let owner = row; ; ) {
    const after = owner.fork?.positions ?? 0
    segments.push({ owner: owner.pk, to, after, last })
    if (owner.fork === null) return segments
    to = Math.min(to, owner.fork.at)
    last = Math.min(last, after)
    owner = conversationByPk(connection, owner.fork.pk)
  }
}

export function readSpan(
  connection: SqliteConnection,
  row: ConversationRow,
  span: Span,
  except: readonly Seq[] = [],
): readonly Message[] {
  const { id, head } = row.conversation
  const to = Math.min(span.to, head)
  const skipped = except.filter((seq) => seq >= span.from && seq < to)
  const messages = segmentsOf(connection, row).flatMap((segment) =>
    rowsOf(connection, segment, span, skipped).map((found) => messageOf(found, id)),
  )
  const expected = Math.max(0, to - span.from) - skipped.length
  assertInvariant(
    messages.length === expected,
    INVARIANT.dense,
    `conversation "${id}": ${messages.length} messages in [${span.from}, ${span.to}), not ${expected}`,
  )
  return messages
}

export function readMessages(
  connection: SqliteConnection,
  row: ConversationRow,
  query: ReadQuery,
): readonly Message[] {
  if ('span' in query) return readSpan(connection, row, query.span, query.except)
  const to = Math.min(query.before, row.conversation.head)
  return readSpan(connection, row, { from: Math.max(0, to - query.limit), to })
}

function rowsOf(
  connection: SqliteConnection,
  segment: Segment,
  span: Span,
  skipped: readonly Seq[],
): readonly Row[] {
  const select = `SELECT ${messageColumns} FROM messages
    WHERE place >= (? << 32) | ? AND place < (? << 32) | ?`
  const from = Math.max(segment.span.from, span.from)
  const to = Math.min(segment.span.to, span.to)
  if (skipped.length === 0)
    return connection.all(`${select} ORDER BY place`, segment.pk, from, segment.pk, to)
  // A row is left out by its key alone: of a body of megabytes no page is read.
  return connection.all(
    `${select} AND seq NOT IN (SELECT value FROM json_each(?)) ORDER BY place`,
    ...[segment.pk, from, segment.pk, to, JSON.stringify(skipped)],
  )
}

export function readOriginal(
  connection: SqliteConnection,
  row: ConversationRow,
  seq: Seq,
): Uint8Array | null {
  const segment = segmentsOf(connection, row).find(({ span }) => seq < span.to)
  if (segment === undefined) return null
  const found = connection.get(
    'SELECT coalesce(raw, CAST(body AS BLOB)) AS bytes FROM messages WHERE place = (? << 32) | ?',
    segment.pk,
    seq,
  )
  return found && bytesCell(found['bytes'], `message ${seq}`)
}

export function readFile(
  connection: SqliteConnection,
  row: ConversationRow,
  sha256: string,
): Uint8Array | null {
  for (const segment of segmentsOf(connection, row)) {
    const found = connection.get(
      'SELECT bytes FROM files WHERE conversation = ? AND sha256 = ? AND seq < ?',
      ...[segment.pk, unhex(sha256), segment.span.to],
    )
    if (found !== null) return bytesCell(found['bytes'], 'a file')
  }
  return null
}
