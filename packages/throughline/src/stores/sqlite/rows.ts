/** Finds and reads rows of conversations and their events. */
import { type CompactionControl, type Conversation, noControl } from '../../domain/conversation.ts'
import type { EngineEvent, EventBody } from '../../domain/event.ts'
import type { ConversationId, Seq, TenantId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { list, number, objectOrNull, text } from '../../domain/shape.ts'
import type { Span } from '../../domain/span.ts'
import { ThroughlineError } from '../../errors.ts'
import type { ListedConversation, ListQuery } from '../../ports/store.ts'
import type { RowSegment } from '../derived-read.ts'
import {
  type Cell,
  changedOutside,
  countCell,
  hexCell,
  jsonCell,
  textCell,
  textOrNullCell,
  timeCell,
} from './cells.ts'
import type { Row, SqliteConnection } from './connection.ts'

export interface SqliteTenant {
  readonly connection: SqliteConnection
  readonly tenant: TenantId
}

/** A conversation by its number in other tables. */
export interface SqliteLog {
  readonly connection: SqliteConnection
  readonly pk: number
}

export interface ConversationRow extends SqliteLog {
  readonly eventCount: number
  /** The source has the messages before `at`, and the snapshot rows up to `lastPosition`. */
  readonly fork: { readonly pk: number; readonly at: Seq; readonly lastPosition: number } | null
  readonly conversation: Conversation
}

export const conversationColumns = `pk, tenant, id, title, meta, head, chain, version, events,
  parent_id, parent_call, fork_pk, fork_id, fork_at, created_at, pins, pinned_to,
  compaction, rewrites, fork_positions, title_seq`

export function conversationRow(connection: SqliteConnection, row: Row): ConversationRow {
  const id = textCell(row['id'], 'the id of a conversation') as ConversationId
  const what = `conversation "${id}"`
  const count = (name: string) => countCell(row[name], what)
  const text = (name: string) => textOrNullCell(row[name], what)
  const isFork = row['fork_pk'] !== null
  // A fork is newer than its source; otherwise following the sources could never end.
  if (isFork && count('fork_pk') >= count('pk')) throw changedOutside(what)
  return {
    connection,
    pk: count('pk'),
    eventCount: count('events'),
    fork: isFork
      ? { pk: count('fork_pk'), at: count('fork_at'), lastPosition: count('fork_positions') }
      : null,
    conversation: {
      id,
      tenant: textCell(row['tenant'], what) as TenantId,
      title: text('title'),
      titleFrom: row['title_seq'] === null ? null : count('title_seq'),
      meta: jsonCell<JsonObject>(row['meta'], what, objectOrNull),
      head: headOf(row['head'], what),
      chain: hexCell(row['chain']),
      version: count('version'),
      rewrites: count('rewrites'),
      pins: jsonCell<readonly Seq[]>(row['pins'], 'the pins', [number]) ?? [],
      pinnedTo: count('pinned_to'),
      compaction: controlOf(row['compaction']),
      parent:
        row['parent_id'] === null
          ? null
          : { conversationId: text('parent_id') as ConversationId, callId: text('parent_call') },
      forkedFrom: isFork
        ? { conversationId: textCell(row['fork_id'], what) as ConversationId, at: count('fork_at') }
        : null,
      createdAt: timeCell(row['created_at'], what),
    },
  }
}

/** The key of a message has 32 bits for its place, so a larger head means a damaged file. */
function headOf(cell: Cell, what: string): Seq {
  const head = countCell(cell, what)
  if (head > 2 ** 32) throw changedOutside(what)
  return head
}

function controlOf(cell: Cell): CompactionControl {
  const set = (value: unknown) => value !== undefined
  const shape = { mode: set, asked: set, suspended: list }
  const control = jsonCell<CompactionControl>(cell, 'the control of compaction', shape)
  return control ?? { ...noControl, suspended: [] }
}

/** Null where nothing is set, as in most conversations. */
export function encodeControl(control: CompactionControl): string | null {
  const { mode, asked, suspended } = control
  const isNone = mode === null && asked === null && suspended.length === 0
  return isNone ? null : JSON.stringify(control)
}

// Constants, because every call uses them and the cache finds statements by their text.
const selectById = `SELECT ${conversationColumns} FROM conversations WHERE tenant = ? AND id = ?`
const selectByPk = `SELECT ${conversationColumns} FROM conversations WHERE pk = ?`

export function findConversation(
  { connection, tenant }: SqliteTenant,
  id: ConversationId,
): ConversationRow | null {
  const row = connection.get(selectById, [tenant, id])
  return row && conversationRow(connection, row)
}

/** By its `pk`: the foreign key of another row says that the conversation exists. */
export function readConversation({ connection, pk }: SqliteLog): ConversationRow {
  const row = connection.get(selectByPk, [pk])
  if (row === null) throw new ThroughlineError('STORE_CORRUPT', `conversation ${pk} is missing`)
  return conversationRow(connection, row)
}

/** One statement, which reads one message of each conversation, without its body. */
export function listConversations(
  { connection, tenant }: SqliteTenant,
  query: ListQuery,
): readonly ListedConversation[] {
  const { clauses, values } =
    query.by === 'latest'
      ? { clauses: 'ORDER BY last_at DESC, id DESC', values: [] }
      : {
          clauses: `AND id > ? ${query.parent === null ? '' : 'AND parent_id = ?'} ORDER BY id`,
          values: [query.after ?? '', ...(query.parent === null ? [] : [query.parent])],
        }
  return connection
    .all(`${selectListed} ${clauses} LIMIT ?`, [tenant, ...values, query.limit ?? -1])
    .map((row) => ({
      conversation: conversationRow(connection, row).conversation,
      lastAt: Number(row['last_at']),
    }))
}

// The last message of a fork without own messages is an own message of its source.
const selectListed = `SELECT ${conversationColumns}, coalesce((
    SELECT messages.created_at FROM messages WHERE messages.place =
      (CASE WHEN head > coalesce(fork_at, 0) THEN pk ELSE fork_pk END << 32) | (head - 1)
  ), created_at) AS last_at
  FROM conversations WHERE tenant = ?`

/** A conversation and its sources, newest first. */
export function* lineageOf(row: ConversationRow): Generator<ConversationRow, undefined> {
  for (let log = row; ; ) {
    yield log
    if (log.fork === null) return
    log = readConversation({ ...log, pk: log.fork.pk })
  }
}

/** The conversation that owns the message before a place: the fork itself or a source. */
export function ownerBefore(row: ConversationRow, seq: Seq): ConversationRow {
  return lineageOf(row).find(({ fork }) => fork === null || seq > fork.at) ?? row
}

/** A conversation with the messages that it owns, or that a fork shares with it. */
export interface Segment extends SqliteLog {
  readonly span: Span
}

/** Oldest first; their spans cover [0, head) without overlap. */
export function segmentsOf(row: ConversationRow): readonly Segment[] {
  const segments: Segment[] = []
  let to = row.conversation.head
  for (const { connection, pk, fork } of lineageOf(row)) {
    const from = fork?.at ?? 0
    segments.unshift({ connection, pk, span: { from, to } })
    to = from
  }
  return segments
}

/** The same for derived rows, the conversation itself first. See `RowSegment`. */
export function rowSegmentsOf(row: ConversationRow): readonly RowSegment<SqliteLog>[] {
  const segments: RowSegment<SqliteLog>[] = []
  let messagesTo = row.conversation.head
  let positionsTo = Number.MAX_SAFE_INTEGER
  for (const owner of lineageOf(row)) {
    const from = (owner.fork?.lastPosition ?? 0) + 1
    segments.push({ owner, messagesTo, positions: { from, to: positionsTo } })
    messagesTo = Math.min(messagesTo, owner.fork?.at ?? 0)
    positionsTo = Math.min(positionsTo, from)
  }
  return segments
}

export function writeEvents(row: ConversationRow, events: readonly EventBody[], at: number): void {
  const { connection, pk, eventCount } = row
  if (events.length === 0) return
  for (const [index, event] of events.entries())
    writeEvent(row, event, { number: eventCount + index + 1, at })
  connection.update('conversations', { events: eventCount + events.length }, 'pk = ?', [pk])
}

/** The caller updates the number of events in its conversation. */
export function writeEvent(
  { connection, pk }: SqliteLog,
  event: EventBody,
  { number, at }: Pick<EngineEvent, 'number' | 'at'>,
): void {
  const insert = 'INSERT INTO events (conversation, number, at, body) VALUES (?, ?, ?, ?)'
  connection.run(insert, [pk, number, at, JSON.stringify(event)])
}

export function readEvents(
  { connection, pk }: SqliteLog,
  { after, limit }: { readonly after: number; readonly limit: number },
): readonly EngineEvent[] {
  const select = `SELECT number, at, body FROM events
    WHERE conversation = ? AND number > ? ORDER BY number LIMIT ?`
  return connection.all(select, [pk, after, limit]).map(eventOf)
}

function eventOf(row: Row): EngineEvent {
  const what = 'an event'
  const body = jsonCell<EventBody>(row['body'], what, { kind: text })
  if (body === null) throw changedOutside(what)
  return { ...body, number: countCell(row['number'], what), at: timeCell(row['at'], what) }
}
