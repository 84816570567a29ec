/** Calls of tools that have no result yet: rows that come with a call and go with its result. */
import type { Seq } from '../../domain/ids.ts'
import type { WaitingCall } from '../../domain/placement.ts'
import type { SqliteConnection } from './connection.ts'
import { answeredOf, nameCell } from './rows.ts'

export function addWaitingCall(
  connection: SqliteConnection,
  pk: number,
  { callId, seq }: WaitingCall,
): void {
  connection.run(
    'INSERT INTO waiting_calls (conversation, call_id, seq) VALUES (?, ?, ?)',
    ...[pk, callName(callId), seq],
  )
}

export function endWaitingCall(
  connection: SqliteConnection,
  pk: number,
  { callId, seq }: WaitingCall,
): void {
  connection.run(
    'DELETE FROM waiting_calls WHERE conversation = ? AND call_id = ? AND seq = ?',
    ...[pk, callName(callId), seq],
  )
}

/** As JSON, because an id of a call may be any text and a column keeps only well-formed text. */
export function callName(callId: string): string {
  return JSON.stringify(callId)
}

/** The calls that were waiting before a place, oldest first. */
export function waitingBefore(
  connection: SqliteConnection,
  pk: number,
  at: Seq,
): readonly WaitingCall[] {
  const waiting = connection
    .all('SELECT call_id, seq FROM waiting_calls WHERE conversation = ? AND seq < ?', pk, at)
    .map((row) => ({
      callId: nameCell(row['call_id'], 'a call that waits'),
      seq: Number(row['seq']),
    }))
  // These were answered since.
  const answered = connection
    .all(
      `SELECT answered FROM messages
       WHERE place >= (? << 32) | ? AND place < (? + 1) << 32 AND answered IS NOT NULL`,
      pk,
      at,
      pk,
    )
    .flatMap((row) => answeredOf(row['answered']))
    .map(({ callId, callSeq }) => ({ callId, seq: callSeq }))
  return [...waiting, ...answered]
    .filter(({ seq }) => seq < at)
    .sort((left, right) => left.seq - right.seq)
}
