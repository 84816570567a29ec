/** Unanswered tool calls: a call adds a row to `waiting_calls`, and its result deletes it. */
import type { Seq } from '../../domain/ids.ts'
import type { PlacedEntry, UnansweredCall } from '../../domain/placement.ts'
import { text } from '../../domain/shape.ts'
import { type Cell, changedOutside, jsonCell } from './cells.ts'
import type { SqliteLog } from './rows.ts'

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

function answeredOf(cell: Cell): PlacedEntry['answered'] {
  const shape = [{ callId: text, callSeq: Number.isSafeInteger }] as const
  return jsonCell<PlacedEntry['answered']>(cell, 'what a message answers', shape) ?? []
}
