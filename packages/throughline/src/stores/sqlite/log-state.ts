/** What placing new messages asks of the log: known keys, and calls that wait. */
import type { Seq } from '../../domain/ids.ts'
import type { KnownKey, LogState } from '../../domain/placement.ts'
import type { SqliteConnection } from './connection.ts'
import { segmentsOf } from './read.ts'
import { type ConversationRow, hex, marksOf } from './rows.ts'
import { callName } from './waiting-calls.ts'

export function logState(connection: SqliteConnection, row: ConversationRow): LogState {
  return {
    head: row.conversation.head,
    chain: row.conversation.chain,
    findKey: (key) => findKey(connection, row, key),
    findWaitingCall: (callId, before) => findWaitingCall(connection, row.pk, callId, before),
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
        keyHash: hex(found['key_hash']),
        chain: hex(found['chain_hash']),
        marks: marksOf(found['marks']),
      }
  }
  return null
}

function findWaitingCall(
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
