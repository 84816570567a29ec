/** Places messages, writes them and moves the head, in the caller's transaction. */
import { chainStart } from '../../domain/conversation.ts'
import {
  chainHalves,
  type KnownKey,
  type LogState,
  type PlacedEntry,
  place,
  segmentMessages,
} from '../../domain/placement.ts'
import type { AppendCommand, AppendOutcome } from '../../ports/store.ts'
import { sha256 } from '../../system.ts'
import { encodeList, hexBytes, hexCell } from './cells.ts'
import { insertConversation } from './forks.ts'
import { chainBefore, marksOf } from './read.ts'
import { messageRowHash } from './row-hash.ts'
import {
  type ConversationRow,
  findConversation,
  type SqliteLog,
  type SqliteTenant,
  segmentsOf,
  writeEvent,
} from './rows.ts'
import {
  addAnswers,
  addUnansweredCall,
  deleteUnansweredCall,
  findUnansweredCall,
} from './unanswered-calls.ts'

const emptyLog: LogState = {
  head: 0,
  chain: chainStart,
  findKey: () => null,
  findUnansweredCall: () => null,
}

export function append(tenant: SqliteTenant, command: AppendCommand): AppendOutcome {
  const found = findConversation(tenant, command.id)
  const state = found === null ? emptyLog : logState(found)
  const placement = place(command.messages, state, sha256, command.expectedHead)
  if (placement.kind !== 'placed') return placement
  const { id, at } = command
  const empty = { id, title: null, meta: null, parent: null, forkedFrom: null, at }
  const row = found ?? insertConversation(tenant, empty)
  const { head, entries } = placement
  const added = entries.filter((entry) => !entry.repeated)
  writeEntries(row, added)
  if (head > state.head) {
    const number = row.eventCount + 1
    const span = { from: state.head, to: head }
    writeEvent(row, { kind: 'messages-appended', span }, { number, at })
    row.connection.run('UPDATE conversations SET head = ?, chain = ?, events = ? WHERE pk = ?', [
      head,
      hexBytes(placement.chain),
      number,
      row.pk,
    ])
  }
  const placed = entries.map(({ seq, chain, marks, repeated }) => ({ seq, chain, marks, repeated }))
  return { kind: 'appended', serial: row.pk, head, entries: placed }
}

function writeEntries(log: SqliteLog, entries: readonly PlacedEntry[]): void {
  // A call that this batch also answers needs no row.
  const answeredHere = new Set(
    entries.flatMap(({ answered }) =>
      answered.map(({ callId, callSeq }) => `${callSeq} ${callId}`),
    ),
  )
  for (const entry of entries) {
    writeMessage(log, entry)
    for (const callId of entry.message.calls)
      if (!answeredHere.has(`${entry.seq} ${callId}`))
        addUnansweredCall(log, { callId, seq: entry.seq })
    for (const { callId, callSeq } of entry.answered)
      if (callSeq < (entries[0]?.seq ?? 0)) deleteUnansweredCall(log, { callId, seq: callSeq })
  }
}

function writeMessage({ connection, pk }: SqliteLog, entry: PlacedEntry): void {
  const { message, seq } = entry
  const hashedCells = {
    created_at: message.createdAt,
    key: message.key?.value ?? null,
    key_hash: message.key && hexBytes(message.key.hash),
    marks: encodeList(entry.marks),
    answered: encodeList(entry.answered),
    origin: message.origins,
  }
  const { before, within } = chainHalves(entry.chain)
  const hashes = [message.contentHash, message.canonicalHash, within].map(hexBytes)
  const ofSegment = seq % segmentMessages === 0 ? hexBytes(before) : null
  const rowHash = messageRowHash({ ...hashedCells, derived_body: message.raw && message.body })
  const others = [message.body, message.raw, rowHash]
  connection.run(messageInsert, [
    pk,
    seq,
    ...Object.values(hashedCells),
    ...hashes,
    ofSegment,
    ...others,
  ])
  addAnswers({ connection, pk }, seq, message.answers)
  for (const file of message.files)
    connection.run(
      'INSERT OR IGNORE INTO files (conversation, sha256, seq, bytes) VALUES (?, ?, ?, ?)',
      [pk, hexBytes(file.sha256), seq, file.bytes],
    )
}

// In the order of the values in `writeMessage`.
const messageInsert = `INSERT INTO messages (place, created_at, key, key_hash, marks, answered,
    origin, content_hash, canonical_hash, chain_hash, chain_before, body, raw, row_hash)
  VALUES ((? << 32) | ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

function logState(row: ConversationRow): LogState {
  return {
    head: row.conversation.head,
    chain: row.conversation.chain,
    findKey: (key) => findKey(row, key),
    findUnansweredCall: (callId, before) => findUnansweredCall(row, callId, before),
  }
}

function findKey(row: ConversationRow, key: string): KnownKey | null {
  const select = `SELECT seq, key_hash, marks FROM messages
    WHERE conversation = ? AND key = ? AND seq < ?`
  for (const { connection, pk, span } of segmentsOf(row)) {
    const found = connection.get(select, [pk, key, span.to])
    if (found !== null) {
      const seq = Number(found['seq'])
      const [keyHash, marks] = [hexCell(found['key_hash']), marksOf(found['marks'])]
      return { seq, keyHash, chain: chainBefore(row, seq + 1), marks }
    }
  }
  return null
}
