/** Rows behind a message that has changed, told their chains, answers and marks anew, page by page. */
import { chainStart } from '../../domain/conversation.ts'
import type { Seq } from '../../domain/ids.ts'
import { storedIn } from '../../domain/message.ts'
import { chainHash, Replay, type WaitingCall } from '../../domain/placement.ts'
import { answersOf, callsOf, isRemoved, removedMark } from '../../domain/sealed-message.ts'
import { sha256 } from '../../system.ts'
import type { RowChange } from '../rewrite-log.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { readSpan } from './read.ts'
import { hashMessage, type MessageCells, messageHashCells, messageRowHash } from './row-hash.ts'
import { bodyOf, type ConversationRow, hex, listCell, marksOf, unhex } from './rows.ts'
import { addWaitingCall, waitingBefore } from './waiting-calls.ts'

/** Gives the new chain of the log, and the places that answer one of these calls. */
export function replayRows(
  connection: SqliteConnection,
  row: ConversationRow,
  from: Seq,
  calls: ReadonlySet<string> | null,
): { readonly chain: string; readonly answering: readonly Seq[] } {
  const { pk, fork } = row
  const chain = from === 0 ? chainStart : chainAt(connection, row, from - 1)
  if (calls === null) return { chain: rechain(connection, row, from, chain), answering: [] }
  // Where its own rows begin, what waits is what waits in its source.
  const isSources = fork !== null && from === fork.at
  const before = { chain, waiting: waitingBefore(connection, isSources ? fork.pk : pk, from) }
  const replay = new Replay(before, sha256)
  const answering: Seq[] = []
  for (let at = from; at < row.conversation.head; at += pageRows)
    for (const found of page(connection, pk, at)) {
      const seq = Number(found['seq'])
      const { parts } = bodyOf(found['body'], `message ${seq}`)
      const [called, answers] = [callsOf(parts), answersOf(parts)]
      if (answers.some((callId) => calls?.has(callId))) answering.push(seq)
      const removed = isRemoved({ marks: marksOf(found['marks']) })
      const canonicalHash = hex(found['canonical_hash'])
      const replayed = replay.take({ canonicalHash, calls: called, answers, removed }, seq)
      write(connection, pk, found, replayed)
    }
  wait(connection, pk, replay.waiting)
  return { chain: replay.chain, answering }
}

/** Where nothing was called or answered, no body is read. */
function rechain(
  connection: SqliteConnection,
  { pk, conversation }: ConversationRow,
  from: Seq,
  before: string,
): string {
  let chain = before
  for (let at = from; at < conversation.head; at += pageHashes)
    for (const { seq, canonical_hash: hash } of connection.all(
      `SELECT seq, canonical_hash FROM messages
       WHERE place >= (? << 32) | ? AND place < (? << 32) | ? ORDER BY place`,
      ...[pk, at, pk, at + pageHashes],
    )) {
      chain = chainHash(chain, hex(hash), sha256)
      connection.run(
        'UPDATE messages SET chain_hash = ? WHERE place = (? << 32) | ?',
        ...[unhex(chain), pk, Number(seq)],
      )
    }
  return chain
}

const pageHashes = 1_000
// A body may be large, and so may be what a page of them takes.
const pageRows = 64

function page(connection: SqliteConnection, pk: number, from: Seq): readonly Row[] {
  return connection.all(
    `SELECT seq, canonical_hash, body, ${messageHashCells} FROM messages
     WHERE place >= (? << 32) | ? AND place < (? << 32) | ? ORDER BY place`,
    ...[pk, from, pk, from + pageRows],
  )
}

function chainAt(connection: SqliteConnection, row: ConversationRow, seq: Seq): string {
  const [message] = readSpan(connection, row, { from: seq, to: seq + 1 })
  return message?.hashes.chain ?? chainStart
}

function write(
  connection: SqliteConnection,
  pk: number,
  row: Row,
  { chain, ...replayed }: ReturnType<Replay['take']>,
): void {
  const [marks, answered] = [listCell(replayed.marks), listCell(replayed.answered)]
  connection.run(
    `UPDATE messages SET chain_hash = ?, marks = ?, answered = ?, row_hash = ?
     WHERE place = (? << 32) | ?`,
    unhex(chain),
    marks,
    answered,
    messageRowHash({ ...(row as MessageCells), marks, answered }),
    pk,
    Number(row['seq']),
  )
}

function wait(connection: SqliteConnection, pk: number, waiting: readonly WaitingCall[]): void {
  connection.run('DELETE FROM waiting_calls WHERE conversation = ?', pk)
  for (const call of waiting) addWaitingCall(connection, pk, call)
}

/** One row of the log with another message in it, and the files that only the old one had gone. */
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
  hashMessage(connection, pk, seq)
  for (const { sha256, bytes } of message.files)
    connection.run(
      `INSERT INTO files (conversation, sha256, seq, bytes) VALUES (?, ?, ?, ?)
       ON CONFLICT (conversation, sha256) DO UPDATE SET seq = min(seq, excluded.seq)`,
      ...[pk, unhex(sha256), seq, bytes],
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
      ...[pk, pk, sha256],
    )
    .map((row) => Number(row['seq']))
  // A hash may also be something that somebody wrote.
  const first = naming.find((seq) => storedAt(connection, pk, seq).includes(sha256))
  if (first === undefined)
    connection.run('DELETE FROM files WHERE conversation = ? AND sha256 = ?', pk, unhex(sha256))
  else
    connection.run(
      'UPDATE files SET seq = ? WHERE conversation = ? AND sha256 = ?',
      ...[first, pk, unhex(sha256)],
    )
}
