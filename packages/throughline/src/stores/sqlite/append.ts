/** An append: places given, messages written, the head moved and told of, in the transaction of its caller. */
import { chainStart } from '../../domain/conversation.ts'
import type { Seq, TenantId } from '../../domain/ids.ts'
import { type KnownKey, type LogState, type PlacedEntry, place } from '../../domain/placement.ts'
import type { AppendCommand, AppendOutcome } from '../../ports/store.ts'
import { sha256 } from '../../system.ts'
import type { SqliteConnection } from './connection.ts'
import { beginConversation } from './conversations.ts'
import { findConversation } from './find.ts'
import { segmentsOf } from './read.ts'
import { messageRowHash } from './row-hash.ts'
import { type ConversationRow, hex, listCell, marksOf, unhex, writeEvent } from './rows.ts'
import { addWaitingCall, callName, endWaitingCall } from './waiting-calls.ts'

const emptyLog: LogState = {
  head: 0,
  chain: chainStart,
  findKey: () => null,
  findWaitingCall: () => null,
}

export function append(
  connection: SqliteConnection,
  tenant: TenantId,
  command: AppendCommand,
): AppendOutcome {
  const found = findConversation(connection, tenant, command.id)
  const state = found === null ? emptyLog : logState(connection, found)
  const placement = place(command.messages, state, sha256, command.expectedHead)
  if (placement.kind !== 'placed') return placement
  const row =
    found ??
    beginConversation(connection, tenant, {
      id: command.id,
      title: null,
      meta: null,
      parent: null,
      forkedFrom: null,
      at: command.at,
    })
  writeEntries(
    connection,
    row.pk,
    placement.entries.filter((entry) => !entry.repeated),
  )
  if (placement.head > state.head) moveHead(connection, row, placement, command.at)
  return {
    kind: 'appended',
    serial: row.pk,
    head: placement.head,
    entries: placement.entries.map(({ seq, chain, marks, repeated }) => {
      return { seq, chain, marks, repeated }
    }),
  }
}

function moveHead(
  connection: SqliteConnection,
  row: ConversationRow,
  to: { readonly head: number; readonly chain: string },
  at: number,
): void {
  const number = row.eventCount + 1
  const span = { from: row.conversation.head, to: to.head }
  writeEvent(connection, row.pk, { number, at, body: { kind: 'messages-appended', span } })
  connection.run(
    'UPDATE conversations SET head = ?, chain = ?, events = ? WHERE pk = ?',
    ...[to.head, unhex(to.chain), number, row.pk],
  )
}

/** The messages of one append, with the calls that they leave waiting. */
function writeEntries(
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
        addWaitingCall(connection, pk, { callId, seq: entry.seq })
    for (const { callId, callSeq } of entry.answered)
      if (callSeq < (entries[0]?.seq ?? 0)) endWaitingCall(connection, pk, { callId, seq: callSeq })
  }
}

function writeMessage(connection: SqliteConnection, pk: number, entry: PlacedEntry): void {
  const { message, seq } = entry
  const cells = {
    created_at: message.createdAt,
    key: message.key?.value ?? null,
    key_hash: message.key && unhex(message.key.hash),
    marks: listCell(entry.marks),
    answered: listCell(entry.answered),
    former: null,
    derived_body: message.raw && message.body,
  }
  connection.run(
    `INSERT INTO messages (place, created_at, key, key_hash, content_hash,
       canonical_hash, chain_hash, marks, answered, body, raw, row_hash)
     VALUES ((? << 32) | ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    pk,
    seq,
    cells.created_at,
    cells.key,
    cells.key_hash,
    unhex(message.contentHash),
    unhex(message.canonicalHash),
    unhex(entry.chain),
    cells.marks,
    cells.answered,
    message.body,
    message.raw,
    messageRowHash(cells),
  )
  for (const file of message.files)
    connection.run(
      'INSERT OR IGNORE INTO files (conversation, sha256, seq, bytes) VALUES (?, ?, ?, ?)',
      ...[pk, unhex(file.sha256), seq, file.bytes],
    )
}

/** What placing new messages asks of the log: known keys, and calls that wait. */
function logState(connection: SqliteConnection, row: ConversationRow): LogState {
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
      ...[segment.pk, key, segment.span.to],
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
    ...[pk, callName(callId), before],
  )
  return found && Number(found['seq'])
}
