/** Finds and reads rows of conversations and their events. */
import { type CompactionControl, type Conversation, noControl } from '../../domain/conversation.ts'
import type { EngineEvent, EventBody } from '../../domain/event.ts'
import type { ConversationId, Seq, TenantId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Span } from '../../domain/span.ts'
import { ThroughlineError } from '../../errors.ts'
import type { ListedConversation, ListQuery } from '../../ports/store.ts'
import type { RowSegment } from '../derived-read.ts'
import {
  type Cell,
  changedOutside,
  countCell,
  hex,
  isObjectOrNull,
  isPlaces,
  isText,
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
  /** The source with the messages before `at`, and with the snapshot rows up to `positions`. */
  readonly fork: { readonly pk: number; readonly at: number; readonly positions: number } | null
  readonly conversation: Conversation
}

export const conversationColumns = `pk, tenant, id, title, meta, head, chain, version, events,
  parent_id, parent_call, fork_pk, fork_id, fork_at, created_at, pins, pinned_to,
  compaction, rewrites, fork_positions, title_seq`

export function conversationRow(connection: SqliteConnection, row: Row): ConversationRow {
  const id = textCell(row['id'], 'the id of a conversation') as ConversationId
  const what = `conversation "${id}"`
  const whole = (name: string) => countCell(row[name], what)
  const text = (name: string) => textOrNullCell(row[name], what)
  const forked = row['fork_pk'] !== null
  // A fork is newer than its source; otherwise following the sources could never end.
  if (forked && whole('fork_pk') >= whole('pk')) throw changedOutside(what)
  return {
    connection,
    pk: whole('pk'),
    eventCount: whole('events'),
    fork: forked
      ? { pk: whole('fork_pk'), at: whole('fork_at'), positions: whole('fork_positions') }
      : null,
    conversation: {
      id,
      tenant: textCell(row['tenant'], what) as TenantId,
      title: text('title'),
      titleFrom: row['title_seq'] === null ? null : whole('title_seq'),
      meta: jsonCell<JsonObject>(row['meta'], what, isObjectOrNull),
      head: headOf(row['head'], what),
      chain: hex(row['chain']),
      version: whole('version'),
      rewrites: whole('rewrites'),
      pins: jsonCell<readonly Seq[]>(row['pins'], 'the pins', isPlaces) ?? [],
      pinnedTo: whole('pinned_to'),
      compaction: controlOf(row['compaction']),
      parent:
        row['parent_id'] === null
          ? null
          : { conversationId: text('parent_id') as ConversationId, callId: text('parent_call') },
      forkedFrom: forked
        ? { conversationId: textCell(row['fork_id'], what) as ConversationId, at: whole('fork_at') }
        : null,
      createdAt: timeCell(row['created_at'], what),
    },
  }
}

/** A message key has 32 bits for the position, so a larger head means a damaged file. */
function headOf(cell: Cell, what: string): Seq {
  const head = countCell(cell, what)
  if (head > 2 ** 32) throw changedOutside(what)
  return head
}

function controlOf(cell: Cell): CompactionControl {
  const control = jsonCell<CompactionControl>(
    cell,
    'the control of compaction',
    ({ mode, asked, suspended }) =>
      mode !== undefined && asked !== undefined && Array.isArray(suspended),
  )
  return control ?? { ...noControl, suspended: [] }
}

/** Null where nothing is set, as in most conversations. */
export function controlCell(control: CompactionControl): string | null {
  const { mode, asked, suspended } = control
  const isNone = mode === null && asked === null && suspended.length === 0
  return isNone ? null : JSON.stringify(control)
}

// Constants, because every call uses them and the cache finds statements by their text.
const byId = `SELECT ${conversationColumns} FROM conversations WHERE tenant = ? AND id = ?`
const byPk = `SELECT ${conversationColumns} FROM conversations WHERE pk = ?`

export function findConversation(
  { connection, tenant }: SqliteTenant,
  id: ConversationId,
): ConversationRow | null {
  const row = connection.get(byId, tenant, id)
  return row && conversationRow(connection, row)
}

/** For a number from another row, whose foreign key says that the conversation exists. */
export function conversationOf({ connection, pk }: SqliteLog): ConversationRow {
  const row = connection.get(byPk, pk)
  if (row === null) throw new ThroughlineError('STORE_CORRUPT', `conversation ${pk} is missing`)
  return conversationRow(connection, row)
}

/** One statement, which reads one message of each conversation, without its body. */
export function listConversations(
  { connection, tenant }: SqliteTenant,
  query: ListQuery,
): readonly ListedConversation[] {
  const { where, values } =
    query.by === 'latest'
      ? { where: 'ORDER BY last_at DESC, id DESC', values: [] }
      : {
          where: `AND id > ? ${query.parent === null ? '' : 'AND parent_id = ?'} ORDER BY id`,
          values: [query.after ?? '', ...(query.parent === null ? [] : [query.parent])],
        }
  return connection
    .all(`${listed} ${where} LIMIT ?`, tenant, ...values, query.limit ?? -1)
    .map((row) => ({
      conversation: conversationRow(connection, row).conversation,
      lastAt: Number(row['last_at']),
    }))
}

// The last message of a fork without own messages is an own message of its source.
const listed = `SELECT ${conversationColumns}, coalesce((
    SELECT messages.created_at FROM messages WHERE messages.place =
      (CASE WHEN head > coalesce(fork_at, 0) THEN pk ELSE fork_pk END << 32) | (head - 1)
  ), created_at) AS last_at
  FROM conversations WHERE tenant = ?`

/** A conversation and its sources, newest first. */
export function* lineageOf(row: ConversationRow): Generator<ConversationRow, undefined> {
  for (let log = row; ; ) {
    yield log
    if (log.fork === null) return
    log = conversationOf({ ...log, pk: log.fork.pk })
  }
}

/** The conversation that owns the message before a position: the fork itself or a source. */
export function ownerAt(row: ConversationRow, seq: Seq): ConversationRow {
  return lineageOf(row).find(({ fork }) => fork === null || seq > fork.at) ?? row
}

export interface Segment extends SqliteLog {
  readonly span: Span
}

/** Oldest first; they tile [0, head). */
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

/** The same for derived rows, the conversation itself first. */
export function rowSegmentsOf(row: ConversationRow): readonly RowSegment<SqliteLog>[] {
  const segments: RowSegment<SqliteLog>[] = []
  let [to, last] = [row.conversation.head, Number.MAX_SAFE_INTEGER - 1]
  for (const owner of lineageOf(row)) {
    const after = owner.fork?.positions ?? 0
    segments.push({ owner, to, after, last })
    to = Math.min(to, owner.fork?.at ?? 0)
    last = Math.min(last, after)
  }
  return segments
}

export function writeEvents(row: ConversationRow, events: readonly EventBody[], at: number): void {
  const { connection, pk, eventCount } = row
  if (events.length === 0) return
  for (const [index, event] of events.entries())
    writeEvent(row, event, { number: eventCount + index + 1, at })
  connection.update('conversations', { events: eventCount + events.length }, 'pk = ?', pk)
}

/** The caller updates the number of events in its conversation. */
export function writeEvent(
  { connection, pk }: SqliteLog,
  event: EventBody,
  { number, at }: Pick<EngineEvent, 'number' | 'at'>,
): void {
  const insert = 'INSERT INTO events (conversation, number, at, body) VALUES (?, ?, ?, ?)'
  connection.run(insert, pk, number, at, JSON.stringify(event))
}

export function readEvents(
  { connection, pk }: SqliteLog,
  { after, limit }: { readonly after: number; readonly limit: number },
): readonly EngineEvent[] {
  const select = `SELECT number, at, body FROM events
    WHERE conversation = ? AND number > ? ORDER BY number LIMIT ?`
  return connection.all(select, pk, after, limit).map(eventOf)
}

function eventOf(row: Row): EngineEvent {
  const what = 'an event'
  const body = jsonCell<EventBody>(row['body'], what, (event) => isText(event.kind))
  if (body === null) throw changedOutside(what)
  return { ...body, number: countCell(row['number'], what), at: timeCell(row['at'], what) }
}
