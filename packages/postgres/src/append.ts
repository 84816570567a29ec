/** Places messages, writes them and moves the head, in the caller's transaction. */
import type { Message, Seq } from 'throughline'
import {
  type AppendCommand,
  type AppendOutcome,
  chainHalves,
  chainStart,
  type LogState,
  type PlacedEntry,
  place,
  segmentMessages,
  sha256,
} from 'throughline/stores'
import { addAnswers, addUnansweredCalls, deleteUnansweredCalls, encodeCallId } from './calls.ts'
import { encodeList, encodeText, hexBytes, hexCell } from './cells.ts'
import type { Row, Value } from './database.ts'
import { insertConversation } from './forks.ts'
import { chainBefore, marksOf } from './read.ts'
import {
  type ConversationRow,
  conversationRow,
  type Log,
  segmentsOf,
  type TenantTransaction,
} from './rows.ts'

type KnownKey = NonNullable<ReturnType<LogState['findKey']>>

const emptyLog: LogState = {
  head: 0,
  chain: chainStart,
  findKey: () => null,
  findUnansweredCall: () => null,
}

export async function append(
  transaction: TenantTransaction,
  command: AppendCommand,
): Promise<AppendOutcome> {
  const found = await lockAndLookUp(transaction, command)
  const state = found?.state ?? emptyLog
  const placement = place(command.messages, state, sha256, command.expectedHead)
  if (placement.kind !== 'placed') return placement
  const { id, at } = command
  const empty = { id, title: null, meta: null, parent: null, forkedFrom: null, at }
  const row = found?.row ?? (await insertConversation(transaction, empty))
  const { head, entries } = placement
  writeEntries(
    row,
    entries.filter((entry) => !entry.repeated),
  )
  if (head > state.head) {
    const { sql, tenant, tables, pk } = row
    const number = row.eventCount + 1
    const event = { kind: 'messages-appended', span: { from: state.head, to: head } }
    sql.send(
      `WITH moved AS (
         UPDATE ${tables.conversations} SET head = $3, chain = $4, events = $5
         WHERE tenant = $1 AND pk = $2
       ) INSERT INTO ${tables.events} (tenant, conversation, number, at, body)
         VALUES ($1, $2, $5, $6, $7)`,
      [encodeText(tenant), pk, head, hexBytes(placement.chain), number, at, JSON.stringify(event)],
    )
  }
  const placed = entries.map(({ seq, chain, marks, repeated }) => ({ seq, chain, marks, repeated }))
  return { kind: 'appended', serial: row.pk, head, entries: placed }
}

/** One round trip: the lock, then what the messages may refer to, read after the lock is given. */
async function lockAndLookUp(
  transaction: TenantTransaction,
  { id, messages }: AppendCommand,
): Promise<{ readonly row: ConversationRow; readonly state: LogState } | null> {
  const { sql, tenant, tables } = transaction
  const names = [encodeText(tenant), encodeText(id)]
  const keys = messages.flatMap(({ key }) => (key === null ? [] : [encodeText(key.value)]))
  const answers = messages.flatMap((message) => message.answers.map(encodeCallId))
  const ofConversation = `tenant = $1 AND conversation = (
    SELECT pk FROM ${tables.conversations} WHERE tenant = $1 AND id = $2)`
  const locked = sql.all(
    `SELECT * FROM ${tables.conversations} WHERE tenant = $1 AND id = $2 FOR NO KEY UPDATE`,
    names,
  )
  const known = lookUp(keys, () =>
    sql.all(
      `SELECT seq, key, key_hash, marks FROM ${tables.messages}
       WHERE ${ofConversation} AND key = ANY($3::text[])`,
      [...names, keys],
    ),
  )
  const calls = lookUp(answers, () =>
    sql.all(
      `SELECT call_id, seq FROM ${tables.waiting_calls}
       WHERE ${ofConversation} AND call_id = ANY($3::text[]) ORDER BY seq`,
      [...names, answers],
    ),
  )
  const [[found], knownRows, callRows] = await Promise.all([locked, known, calls])
  if (found === undefined) return null
  const row = conversationRow(transaction, found)
  const knownKeys = new Map<string, KnownKey>()
  for (const each of knownRows) knownKeys.set(each['key'] as string, await knownKey(row, each))
  for (const each of await inheritedKeys(row, keys))
    if (!knownKeys.has(each['key'] as string))
      knownKeys.set(each['key'] as string, await knownKey(row, each))
  const state: LogState = {
    head: row.conversation.head,
    chain: row.conversation.chain,
    findKey: (key) => knownKeys.get(encodeText(key)) ?? null,
    findUnansweredCall: (callId, before) => newestBefore(callRows, encodeCallId(callId), before),
  }
  return { row, state }
}

async function lookUp(
  names: readonly string[],
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  return names.length === 0 ? [] : read()
}

function newestBefore(calls: readonly Row[], callId: string, before: Seq): Seq | null {
  const found = calls.findLast((call) => call['call_id'] === callId && Number(call['seq']) < before)
  return found === undefined ? null : Number(found['seq'])
}

async function knownKey(row: ConversationRow, found: Row): Promise<KnownKey> {
  const seq = Number(found['seq'])
  return {
    seq,
    keyHash: hexCell(found['key_hash']),
    chain: await chainBefore(row, seq + 1),
    marks: marksOf(found['marks']),
  }
}

/** Messages with these keys that a fork shares with its sources. */
async function inheritedKeys(
  row: ConversationRow,
  keys: readonly string[],
): Promise<readonly Row[]> {
  if (row.fork === null || keys.length === 0) return []
  const { sql, tenant, tables } = row
  const select = `SELECT seq, key, key_hash, marks FROM ${tables.messages}
    WHERE tenant = $1 AND conversation = $2 AND seq < $3 AND key = ANY($4::text[])`
  const found: Row[] = []
  for (const { pk, span } of (await segmentsOf(row)).slice(0, -1))
    found.push(...(await sql.all(select, [encodeText(tenant), pk, span.to, keys])))
  return found
}

function writeEntries(log: Log, entries: readonly PlacedEntry[]): void {
  // A call that this batch also answers needs no row.
  const answeredHere = new Set(
    entries.flatMap(({ answered }) =>
      answered.map(({ callId, callSeq }) => `${callSeq} ${callId}`),
    ),
  )
  for (let from = 0; from < entries.length; from += rowsPerInsert)
    writeMessages(log, entries.slice(from, from + rowsPerInsert))
  const firstSeq = entries[0]?.seq ?? 0
  addUnansweredCalls(
    log,
    entries.flatMap(({ message, seq }) =>
      message.calls
        .filter((callId) => !answeredHere.has(`${seq} ${callId}`))
        .map((callId) => ({ callId, seq })),
    ),
  )
  deleteUnansweredCalls(
    log,
    entries.flatMap(({ answered }) =>
      answered
        .filter(({ callSeq }) => callSeq < firstSeq)
        .map(({ callId, callSeq }) => ({ callId, seq: callSeq })),
    ),
  )
  for (const { message, seq } of entries) {
    addAnswers(log, seq, message.answers)
    for (const file of message.files)
      log.sql.send(
        `INSERT INTO ${log.tables.files} (tenant, conversation, sha256, seq, bytes)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
        [encodeText(log.tenant), log.pk, hexBytes(file.sha256), seq, file.bytes],
      )
  }
}

const rowsPerInsert = 50

const columns = [
  'seq',
  'created_at',
  'key',
  'key_hash',
  'content_hash',
  'canonical_hash',
  'chain_hash',
  'chain_before',
  'marks',
  'answered',
  'origin',
  'body',
  'raw',
]

function writeMessages({ sql, tenant, tables, pk }: Log, entries: readonly PlacedEntry[]): void {
  const values: Value[] = [encodeText(tenant), pk]
  const rows = entries.map((entry) => {
    const cells = cellsOf(entry)
    const first = values.push(...cells) - cells.length
    return `($1, $2, ${cells.map((_, index) => `$${first + index + 1}`).join()})`
  })
  sql.send(
    `INSERT INTO ${tables.messages} (tenant, conversation, ${columns.join()})
     VALUES ${rows.join()}`,
    values,
  )
}

/** In the order of `columns`. */
function cellsOf({ message, seq, chain, marks, answered }: PlacedEntry): readonly Value[] {
  const { before, within } = chainHalves(chain)
  return [
    seq,
    message.createdAt,
    message.key && encodeText(message.key.value),
    message.key && hexBytes(message.key.hash),
    hexBytes(message.contentHash),
    hexBytes(message.canonicalHash),
    hexBytes(within),
    seq % segmentMessages === 0 ? hexBytes(before) : null,
    encodeList(marks as Message['marks']),
    encodeList(answered),
    message.origins,
    message.body,
    message.raw,
  ]
}
