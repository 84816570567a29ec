/** Rows to nouns and back: the only place that knows both spellings. */
import { type CompactionControl, type Conversation, noControl } from '../../domain/conversation.ts'
import type { EngineEvent, EventBody } from '../../domain/event.ts'
import { type ConversationId, messageId, type Seq, type TenantId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Mark, Message } from '../../domain/message.ts'
import type { PlacedEntry } from '../../domain/placement.ts'
import { clientKey, decodeBody, type MessageBody } from '../../domain/sealed-message.ts'
import {
  bytesCell,
  type Cell,
  changedOutside,
  countCell,
  isSoundBody,
  jsonCell,
  textCell,
  textOrNullCell,
  timeCell,
} from './cells.ts'
import type { Row, SqliteConnection } from './connection.ts'

/** A conversation with the number that stands for it in other tables. */
export interface ConversationRow {
  readonly pk: number
  readonly eventCount: number
  /** The conversation that has the messages before `at`, and rows of snapshot kinds up to a position. */
  readonly fork: { readonly pk: number; readonly at: number; readonly positions: number } | null
  readonly conversation: Conversation
}

export const conversationColumns = `pk, tenant, id, title, meta, head, chain, version, events,
  parent_id, parent_call, fork_pk, fork_id, fork_at, created_at, pins, pinned_to,
  compaction, rewrites, fork_positions, title_seq`

export function conversationRow(row: Row): ConversationRow {
  const id = textCell(row['id'], 'the id of a conversation') as ConversationId
  const what = `conversation "${id}"`
  const whole = (name: string) => countCell(row[name], what)
  const text = (name: string) => textOrNullCell(row[name], what)
  const forked = row['fork_pk'] !== null
  // A fork is younger than its source. Were it not, whoever follows the sources would never end.
  if (forked && whole('fork_pk') >= whole('pk')) throw changedOutside(what)
  return {
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
      meta: jsonCell<JsonObject>(row['meta'], what, isObject),
      head: headOf(row['head'], what),
      chain: hex(row['chain']),
      version: whole('version'),
      rewrites: whole('rewrites'),
      pins: pinsOf(row['pins']),
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

/** A place has 32 bits in the key of a message. Whoever believes in more walks without an end. */
function headOf(cell: Cell, what: string): Seq {
  const head = countCell(cell, what)
  if (head > 2 ** 32) throw changedOutside(what)
  return head
}

export const messageColumns =
  'seq, created_at, key, content_hash, canonical_hash, chain_hash, marks, body'

export function messageOf(row: Row, conversationId: ConversationId): Message {
  const seq = Number(row['seq'])
  const what = `message ${seq} of "${conversationId}"`
  const key = textOrNullCell(row['key'], what)
  return {
    id: messageId(conversationId, seq),
    conversationId,
    seq,
    ...bodyOf(row['body'], what),
    createdAt: timeCell(row['created_at'], what),
    key: key === null ? null : clientKey(key),
    hashes: {
      content: hex(row['content_hash']),
      canonical: hex(row['canonical_hash']),
      chain: hex(row['chain_hash']),
    },
    marks: marksOf(row['marks']),
  }
}

/** What we wrote ourselves reads back, unless somebody changed it. */
export function bodyOf(cell: Cell, what: string): MessageBody {
  let cause: unknown
  try {
    const body = decodeBody(textCell(cell, what))
    if (isSoundBody(body)) return body
  } catch (error) {
    cause = error
  }
  throw changedOutside(what, cause)
}

export function marksOf(cell: Cell): readonly Mark[] {
  const isMark = (mark: Mark) => mark.kind === 'removed' || isText(mark.callId)
  return (
    jsonCell<readonly Mark[]>(cell, 'the marks of a message', (marks) => areAll(marks, isMark)) ??
    []
  )
}

export function answeredOf(cell: Cell): PlacedEntry['answered'] {
  const isSound = (all: PlacedEntry['answered']) =>
    areAll(all, ({ callId, callSeq }) => isText(callId) && Number.isSafeInteger(callSeq))
  return jsonCell(cell, 'what a message answers', isSound) ?? []
}

/** Hashes of what stood in the place of a message before it was edited or removed. */
export function formerOf(cell: Cell): readonly string[] {
  return jsonCell<readonly string[]>(cell, 'former hashes', (all) => areAll(all, isText)) ?? []
}

/** None is null: most messages have no marks, and answer no call. */
export function listCell(items: readonly object[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items)
}

function eventOf(row: Row): EngineEvent {
  const what = 'an event'
  const body = jsonCell<EventBody>(row['body'], what, (event) => isText(event.kind))
  if (body === null) throw changedOutside(what)
  return { ...body, number: countCell(row['number'], what), at: timeCell(row['at'], what) }
}

export function hex(cell: Cell): string {
  const { buffer, byteOffset, byteLength } = bytesCell(cell, 'a hash')
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex')
}

export function unhex(text: string): Uint8Array {
  return Buffer.from(text, 'hex')
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value)
}

function pinsOf(cell: Cell): readonly Seq[] {
  return jsonCell<readonly Seq[]>(cell, 'the pins', isPlaces) ?? []
}

/** None is null: most conversations have no pins. */
export function pinsCell(pins: readonly Seq[]): string | null {
  return pins.length === 0 ? null : JSON.stringify(pins)
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

/** None is null, as with pins. */
export function controlCell(control: CompactionControl): string | null {
  const { mode, asked, suspended } = control
  const isNone = mode === null && asked === null && suspended.length === 0
  return isNone ? null : JSON.stringify(control)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function areAll<Item>(items: readonly Item[], isSound: (item: Item) => boolean): boolean {
  return Array.isArray(items) && items.every(isSound)
}

export function isPlaces(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'number')
}

/** Any text, kept as JSON, because a column keeps only well-formed text. */
export function nameCell(cell: Cell, what: string): string {
  const name = jsonCell<string>(cell, what, isText)
  if (name === null) throw changedOutside(what)
  return name
}

/** Whoever writes one counts it with its conversation. */
export function writeEvent(
  connection: SqliteConnection,
  pk: number,
  event: { readonly number: number; readonly at: number; readonly body: EventBody },
): void {
  connection.run(
    'INSERT INTO events (conversation, number, at, body) VALUES (?, ?, ?, ?)',
    ...[pk, event.number, event.at, JSON.stringify(event.body)],
  )
}

export function readEvents(
  connection: SqliteConnection,
  pk: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): readonly EngineEvent[] {
  return connection
    .all(
      `SELECT number, at, body FROM events
       WHERE conversation = ? AND number > ? ORDER BY number LIMIT ?`,
      ...[pk, after, limit],
    )
    .map(eventOf)
}
