/**
 * Tool calls without a result, and the messages with results: a call adds a row to `waiting_calls`,
 * and its result deletes it and adds one to `answers`.
 */
import type { Seq } from '../../domain/ids.ts'
import type { PlacedEntry, UnansweredCall } from '../../domain/placement.ts'
import { text } from '../../domain/shape.ts'
import { type Cell, changedOutside, jsonCell } from './cells.ts'
import type { SqliteLog } from './rows.ts'
import { termCode } from './term-codes.ts'

export function addUnansweredCall(
  { connection, pk }: SqliteLog,
  { callId, seq }: UnansweredCall,
): void {
  connection.insert('waiting_calls', { conversation: pk, call_id: encodeCallId(callId), seq })
}

export function deleteUnansweredCall(
  { connection, pk }: SqliteLog,
  { callId, seq }: UnansweredCall,
): void {
  const where = 'conversation = ? AND call_id = ? AND seq = ?'
  connection.run(`DELETE FROM waiting_calls WHERE ${where}`, [pk, encodeCallId(callId), seq])
}

export function addAnswers(log: SqliteLog, seq: Seq, callIds: readonly string[]): void {
  const insert = 'INSERT OR IGNORE INTO answers (conversation, code, seq) VALUES (?, ?, ?)'
  for (const callId of callIds) log.connection.run(insert, [log.pk, termCode(callId), seq])
}

export function deleteAnswers(log: SqliteLog, seq: Seq, callIds: readonly string[]): void {
  const drop = 'DELETE FROM answers WHERE conversation = ? AND code = ? AND seq = ?'
  for (const callId of callIds) log.connection.run(drop, [log.pk, termCode(callId), seq])
}

/** Places from `from` on of messages that may have a result of one of the calls, ascending. */
export function answersFrom(
  { connection, pk }: SqliteLog,
  from: Seq,
  callIds: ReadonlySet<string>,
): readonly Seq[] {
  return connection
    .all(
      `SELECT DISTINCT seq FROM answers
       WHERE conversation = ? AND code IN (SELECT value FROM json_each(?)) AND seq >= ? ORDER BY seq`,
      [pk, JSON.stringify(Array.from(callIds, (callId) => termCode(callId))), from],
    )
    .map((row) => Number(row['seq']))
}

/** The calls with these ids that have no result, oldest first. */
export function unansweredOf(
  { connection, pk }: SqliteLog,
  callIds: ReadonlySet<string>,
): readonly UnansweredCall[] {
  return connection
    .all(`SELECT call_id, seq FROM waiting_calls WHERE ${ofCalls} ORDER BY seq`, [
      pk,
      JSON.stringify(Array.from(callIds, encodeCallId)),
    ])
    .map((row) => ({ callId: decodeCallId(row['call_id']), seq: Number(row['seq']) }))
}

const ofCalls = 'conversation = ? AND call_id IN (SELECT value FROM json_each(?))'

/** Replaces the calls with these ids that have no result. */
export function replaceUnanswered(
  log: SqliteLog,
  callIds: ReadonlySet<string>,
  unanswered: readonly UnansweredCall[],
): void {
  const encoded = JSON.stringify(Array.from(callIds, encodeCallId))
  log.connection.run(`DELETE FROM waiting_calls WHERE ${ofCalls}`, [log.pk, encoded])
  for (const call of unanswered) addUnansweredCall(log, call)
}

export function findUnansweredCall(
  { connection, pk }: SqliteLog,
  callId: string,
  before: Seq,
): Seq | null {
  const found = connection.get(
    `SELECT seq FROM waiting_calls WHERE conversation = ? AND call_id = ? AND seq < ?
     ORDER BY seq DESC LIMIT 1`,
    [pk, encodeCallId(callId), before],
  )
  return found && Number(found['seq'])
}

/** As JSON, because a call id may be any text and a column stores only well-formed text. */
function encodeCallId(callId: string): string {
  return JSON.stringify(callId)
}

/** The calls before `at` without a result before `at`, oldest first. */
export function unansweredBefore(
  { connection, pk }: SqliteLog,
  at: Seq,
): readonly UnansweredCall[] {
  const stillUnanswered = connection
    .all('SELECT call_id, seq FROM waiting_calls WHERE conversation = ? AND seq < ?', [pk, at])
    .map((row) => ({ callId: decodeCallId(row['call_id']), seq: Number(row['seq']) }))
  const answeredLater = connection
    .all(
      `SELECT answered FROM messages
       WHERE place >= (? << 32) | ? AND place < (? + 1) << 32 AND answered IS NOT NULL`,
      [pk, at, pk],
    )
    .flatMap((row) => answeredOf(row['answered']))
    .map(({ callId, callSeq }) => ({ callId, seq: callSeq }))
  return [...stillUnanswered, ...answeredLater]
    .filter(({ seq }) => seq < at)
    .sort((left, right) => left.seq - right.seq)
}

function decodeCallId(cell: Cell): string {
  const callId = jsonCell<string>(cell, 'a call that waits', text)
  if (callId === null) throw changedOutside('a call that waits')
  return callId
}

export function answeredOf(cell: Cell): PlacedEntry['answered'] {
  const shape = [{ callId: text, callSeq: Number.isSafeInteger }] as const
  return jsonCell<PlacedEntry['answered']>(cell, 'what a message answers', shape) ?? []
}
