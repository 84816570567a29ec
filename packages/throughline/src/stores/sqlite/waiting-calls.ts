/** Tool calls without a result: a call adds a row, and its result deletes it. */
import type { Seq } from '../../domain/ids.ts'
import type { PlacedEntry, WaitingCall } from '../../domain/placement.ts'
import { areAll, type Cell, changedOutside, isText, jsonCell } from './cells.ts'
import type { SqliteLog } from './rows.ts'

export function addWaitingCall({ connection, pk }: SqliteLog, { callId, seq }: WaitingCall): void {
  connection.insert('waiting_calls', { conversation: pk, call_id: callName(callId), seq })
}

export function endWaitingCall({ connection, pk }: SqliteLog, { callId, seq }: WaitingCall): void {
  const where = 'conversation = ? AND call_id = ? AND seq = ?'
  connection.run(`DELETE FROM waiting_calls WHERE ${where}`, pk, callName(callId), seq)
}

export function findWaitingCall(
  { connection, pk }: SqliteLog,
  callId: string,
  before: Seq,
): Seq | null {
  const found = connection.get(
    `SELECT seq FROM waiting_calls WHERE conversation = ? AND call_id = ? AND seq < ?
     ORDER BY seq DESC LIMIT 1`,
    ...[pk, callName(callId), before],
  )
  return found && Number(found['seq'])
}

/** As JSON, because a call id may be any text and a column stores only well-formed text. */
function callName(callId: string): string {
  return JSON.stringify(callId)
}

/** The calls before `at` without a result before `at`, oldest first. */
export function waitingBefore({ connection, pk }: SqliteLog, at: Seq): readonly WaitingCall[] {
  const waiting = connection
    .all('SELECT call_id, seq FROM waiting_calls WHERE conversation = ? AND seq < ?', pk, at)
    .map((row) => ({ callId: calledName(row['call_id']), seq: Number(row['seq']) }))
  // Calls that were answered later.
  const answered = connection
    .all(
      `SELECT answered FROM messages
       WHERE place >= (? << 32) | ? AND place < (? + 1) << 32 AND answered IS NOT NULL`,
      ...[pk, at, pk],
    )
    .flatMap((row) => answeredOf(row['answered']))
    .map(({ callId, callSeq }) => ({ callId, seq: callSeq }))
  return [...waiting, ...answered]
    .filter(({ seq }) => seq < at)
    .sort((left, right) => left.seq - right.seq)
}

function calledName(cell: Cell): string {
  const name = jsonCell<string>(cell, 'a call that waits', isText)
  if (name === null) throw changedOutside('a call that waits')
  return name
}

function answeredOf(cell: Cell): PlacedEntry['answered'] {
  const isValid = (all: PlacedEntry['answered']) =>
    areAll(all, ({ callId, callSeq }) => isText(callId) && Number.isSafeInteger(callSeq))
  return jsonCell(cell, 'what a message answers', isValid) ?? []
}
