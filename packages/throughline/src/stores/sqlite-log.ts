/**
 * The messages of one conversation. Those before a fork's point stand in its
 * source's rows, so every look at the log goes through the segments it is made of.
 */
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { KnownKey, LogState, PlacedEntry } from '../domain/placement.ts'
import type { Span } from '../domain/span.ts'
import { assertInvariant, INVARIANT } from '../invariants.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { conversationByPk } from './sqlite-find.ts'
import {
  answeredOf,
  bytesOf,
  type ConversationRow,
  hex,
  marksOf,
  messageColumns,
  messageOf,
  unhex,
} from './sqlite-rows.ts'

interface Segment {
  readonly pk: number
  readonly span: Span
}

/** Oldest first; they tile [0, head). */
function segmentsOf(connection: SqliteConnection, row: ConversationRow): readonly Segment[] {
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

export function logState(connection: SqliteConnection, row: ConversationRow): LogState {
  return {
    head: row.conversation.head,
    chain: row.conversation.chain,
    findKey: (key) => findKey(connection, row, key),
    findOpenCall: (callId, before) => findOpenCall(connection, row.pk, callId, before),
  }
}

function findKey(connection: SqliteConnection, row: ConversationRow, key: string): KnownKey | null {
  for (const segment of segmentsOf(connection, row)) {
    const found = connection.get(
      `SELECT seq, key_hash, chain_hash, marks FROM messages
       WHERE conversation = ? AND key = ? AND seq < ?`,
      segment.pk,
      key,
      segment.span.to,
    )
    if (found !== null)
      return {
        seq: Number(found['seq']),
        fingerprint: hex(found['key_hash']),
        chain: hex(found['chain_hash']),
        marks: marksOf(found['marks']),
      }
  }
  return null
}

function findOpenCall(
  connection: SqliteConnection,
  pk: number,
  callId: string,
  before: Seq,
): Seq | null {
  const found = connection.get(
    `SELECT seq FROM waiting_calls WHERE conversation = ? AND call_id = ? AND seq < ?
     ORDER BY seq DESC LIMIT 1`,
    pk,
    callName(callId),
    before,
  )
  return found && Number(found['seq'])
}

/** A fork takes along the calls that were waiting where it leaves its source. */
export function copyWaitingCalls(
  connection: SqliteConnection,
  { source, fork, at }: { readonly source: number; readonly fork: number; readonly at: Seq },
): void {
  connection.run(
    `INSERT INTO waiting_calls (conversation, call_id, seq)
     SELECT ?, call_id, seq FROM waiting_calls WHERE conversation = ? AND seq < ?`,
    fork,
    source,
    at,
  )
  // The source has answered these since; the fork has not.
  const later = connection.all(
    `SELECT answered FROM messages
     WHERE place >= (? << 32) + ? AND place < (? + 1) << 32 AND answered IS NOT NULL`,
    source,
    at,
    source,
  )
  for (const { callId, callSeq } of later.flatMap((row) => answeredOf(row['answered'])))
    if (callSeq < at) addWaitingCall(connection, fork, callId, callSeq)
}

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
        addWaitingCall(connection, pk, callId, entry.seq)
    for (const { callId, callSeq } of entry.answered)
      if (callSeq < (entries[0]?.seq ?? 0)) endWaitingCall(connection, pk, callId, callSeq)
  }
}

function addWaitingCall(connection: SqliteConnection, pk: number, callId: string, seq: Seq): void {
  connection.run(
    'INSERT INTO waiting_calls (conversation, call_id, seq) VALUES (?, ?, ?)',
    pk,
    callName(callId),
    seq,
  )
}

function endWaitingCall(connection: SqliteConnection, pk: number, callId: string, seq: Seq): void {
  connection.run(
    'DELETE FROM waiting_calls WHERE conversation = ? AND call_id = ? AND seq = ?',
    pk,
    callName(callId),
    seq,
  )
}

/** As JSON, because an id of a call may be any text and a column keeps only well-formed text. */
function callName(callId: string): string {
  return JSON.stringify(callId)
}

function writeMessage(connection: SqliteConnection, pk: number, entry: PlacedEntry): void {
  const { message, seq } = entry
  connection.run(
    `INSERT INTO messages (place, created_at, key, key_hash, content_hash,
       canonical_hash, chain_hash, marks, answered, body, raw)
     VALUES ((? << 32) + ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    pk,
    seq,
    message.createdAt,
    message.key?.value ?? null,
    message.key && unhex(message.key.fingerprint),
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
