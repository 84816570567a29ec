/** Finds, locks and reads rows of conversations and their events. */
import type { Conversation, ConversationId, EngineEvent, JsonObject, Seq } from 'throughline'
import { ThroughlineError } from 'throughline'
import {
  type ListedConversation,
  type ListQuery,
  noControl,
  type RowSegment,
} from 'throughline/stores'
import {
  encodeText,
  encodeTextOrNull,
  hexCell,
  jsonCell,
  numberOrNullCell,
  textCell,
  textOrNullCell,
} from './cells.ts'
import type { Row, Transaction, Value } from './database.ts'

/** A transaction of one tenant, with the names of the tables. */
export interface TenantTransaction {
  readonly sql: Transaction
  readonly tenant: string
  readonly tables: TableNames
}

/** Each name is qualified with the schema, because a pooler may reset the search path. */
export type TableNames = Readonly<Record<TableName, string>>

export type TableName =
  | 'conversations'
  | 'messages'
  | 'waiting_calls'
  | 'answers'
  | 'files'
  | 'events'
  | 'derived'
  | 'purges'
  | 'pieces'
  | 'vectors'
  | 'server_answers'
  | 'server_audit'
  | 'gateway_ids'
  | 'gateway_tracks'
  | 'serials'
  | 'ages'
  | 'versions'
  | 'leases'
  /** The function that searches pieces. */
  | 'find_pieces'

/** A conversation by its number in other tables. */
export interface Log extends TenantTransaction {
  readonly pk: number
}

export interface ConversationRow extends Log {
  readonly eventCount: number
  /** As the transaction read it: not with what it wrote since. */
  readonly indexed: Indexed
  /** The source has the messages before `at`, and the snapshot rows up to `lastPosition`. */
  readonly fork: { readonly pk: number; readonly at: Seq; readonly lastPosition: number } | null
  readonly conversation: Conversation
}

/** How far the search index goes, and what it has. */
interface Indexed {
  readonly to: Seq
  readonly pieces: number
  readonly words: number
}

function indexedIn(row: Row): Indexed {
  return {
    to: Number(row['indexed_to']),
    pieces: Number(row['indexed_pieces']),
    words: Number(row['indexed_words']),
  }
}

export function conversationRow(transaction: TenantTransaction, row: Row): ConversationRow {
  const forkPk = numberOrNullCell(row['fork_pk'])
  const forkAt = Number(row['fork_at'])
  const control = jsonCell<Conversation['compaction']>(row['compaction'])
  return {
    ...transaction,
    pk: Number(row['pk']),
    eventCount: Number(row['events']),
    indexed: indexedIn(row),
    fork:
      forkPk === null
        ? null
        : { pk: forkPk, at: forkAt, lastPosition: Number(row['fork_positions']) },
    conversation: {
      id: textCell(row['id']) as ConversationId,
      tenant: textCell(row['tenant']) as Conversation['tenant'],
      title: textOrNullCell(row['title']),
      titleFrom: numberOrNullCell(row['title_seq']),
      meta: jsonCell<JsonObject>(row['meta']),
      head: Number(row['head']),
      chain: chainCell(row['chain']),
      version: Number(row['version']),
      rewrites: Number(row['rewrites']),
      pins: jsonCell<readonly Seq[]>(row['pins']) ?? [],
      pinnedTo: Number(row['pinned_to']),
      compaction: control ?? { ...noControl, suspended: [] },
      parent:
        row['parent_id'] === null
          ? null
          : {
              conversationId: textCell(row['parent_id']) as ConversationId,
              callId: textOrNullCell(row['parent_call']),
            },
      forkedFrom:
        forkPk === null
          ? null
          : { conversationId: textCell(row['fork_id']) as ConversationId, at: forkAt },
      createdAt: Number(row['created_at']),
    },
  }
}

/** Inside JSON, PostgreSQL writes bytes as `\x…`. */
function chainCell(cell: unknown): string {
  return typeof cell === 'string' ? cell.slice(2) : hexCell(cell)
}

/** Null where nothing is set, as in most conversations. */
export function encodeControl(control: Conversation['compaction']): string | null {
  const { mode, asked, suspended } = control
  const isNone = mode === null && asked === null && suspended.length === 0
  return isNone ? null : JSON.stringify(control)
}

export async function findConversation(
  transaction: TenantTransaction,
  id: ConversationId,
): Promise<ConversationRow | null> {
  const { sql, tenant, tables } = transaction
  const row = await sql.get(`SELECT * FROM ${tables.conversations} WHERE tenant = $1 AND id = $2`, [
    encodeText(tenant),
    encodeText(id),
  ])
  return row && conversationRow(transaction, row)
}

/** Other transactions that write this conversation wait until this one ends. */
export async function lockConversation(
  transaction: TenantTransaction,
  id: ConversationId,
): Promise<ConversationRow | null> {
  const { sql, tenant, tables } = transaction
  const row = await sql.get(
    `SELECT * FROM ${tables.conversations} WHERE tenant = $1 AND id = $2 FOR NO KEY UPDATE`,
    [encodeText(tenant), encodeText(id)],
  )
  return row && conversationRow(transaction, row)
}

export async function readConversation(log: Log): Promise<ConversationRow> {
  const { sql, tenant, tables, pk } = log
  const row = await sql.get(`SELECT * FROM ${tables.conversations} WHERE tenant = $1 AND pk = $2`, [
    encodeText(tenant),
    pk,
  ])
  if (row === null) throw new ThroughlineError('STORE_CORRUPT', `conversation ${pk} is missing`)
  return conversationRow(transactionOf(log), row)
}

export function transactionOf({ sql, tenant, tables }: TenantTransaction): TenantTransaction {
  return { sql, tenant, tables }
}

/**
 * Locks a conversation, its sources and all their forks, in the order of their numbers: so two
 * transactions never wait for each other. Null if there is no such conversation.
 */
export async function lockFamily(
  transaction: TenantTransaction,
  id: ConversationId,
): Promise<ConversationRow | null> {
  const found = await findConversation(transaction, id)
  if (found === null) return null
  let locked: readonly number[] = []
  for (;;) {
    const family = await familyOf(found)
    // A fork may have been created before the locks were given.
    if (family.every((pk) => locked.includes(pk))) break
    if (locked.length > 0) throw lostRace()
    await lockAll(transaction, family)
    locked = family
  }
  const row = await findConversation(transaction, id)
  if (row !== null && row.pk !== found.pk) throw lostRace()
  return row
}

/** Makes the transaction start again. */
export function lostRace(): Error {
  return Object.assign(new Error('another transaction changed the forks'), { code: '40001' })
}

export async function lockAll(
  { sql, tenant, tables }: TenantTransaction,
  pks: readonly number[],
): Promise<void> {
  await sql.all(
    `SELECT pk FROM ${tables.conversations} WHERE tenant = $1 AND pk = ANY($2::bigint[])
     ORDER BY pk FOR NO KEY UPDATE`,
    [encodeText(tenant), pks],
  )
}

async function familyOf({ sql, tenant, tables, pk }: Log): Promise<readonly number[]> {
  const rows = await sql.all(
    `WITH RECURSIVE sources AS (
       SELECT pk, fork_pk FROM ${tables.conversations} WHERE tenant = $1 AND pk = $2
       UNION SELECT c.pk, c.fork_pk FROM ${tables.conversations} c
         JOIN sources s ON c.pk = s.fork_pk WHERE c.tenant = $1
     ), family AS (
       SELECT pk FROM sources WHERE fork_pk IS NULL
       UNION SELECT c.pk FROM ${tables.conversations} c
         JOIN family f ON c.fork_pk = f.pk WHERE c.tenant = $1
     ) SELECT pk FROM family ORDER BY pk`,
    [encodeText(tenant), pk],
  )
  return rows.map((row) => Number(row['pk']))
}

/** One statement, which reads one message of each conversation, without its body. */
export async function listConversations(
  transaction: TenantTransaction,
  query: ListQuery,
): Promise<readonly ListedConversation[]> {
  const { sql, tenant, tables } = transaction
  // The last message of a fork without own messages is an own message of its source.
  const select = `SELECT c.*, coalesce((
      SELECT m.created_at FROM ${tables.messages} m WHERE m.tenant = c.tenant AND m.seq = c.head - 1
        AND m.conversation = CASE WHEN c.head > coalesce(c.fork_at, 0) THEN c.pk ELSE c.fork_pk END
    ), c.created_at) AS last_at FROM ${tables.conversations} c WHERE c.tenant = $1`
  const rows =
    query.by === 'latest'
      ? await sql.all(`${select} ORDER BY last_at DESC, id DESC LIMIT $2`, [
          encodeText(tenant),
          query.limit,
        ])
      : await sql.all(
          `${select} AND id > $3 AND ($4::text IS NULL OR parent_id = $4) ORDER BY id LIMIT $2`,
          [
            encodeText(tenant),
            query.limit,
            encodeText(query.after ?? ''),
            encodeTextOrNull(query.parent),
          ],
        )
  return rows.map((row) => ({
    conversation: conversationRow(transaction, row).conversation,
    lastAt: Number(row['last_at']),
  }))
}

/** A conversation and its sources, nearest first. */
export async function lineageOf(row: ConversationRow): Promise<readonly ConversationRow[]> {
  const lineage = [row]
  for (let { fork } = row; fork !== null; ) {
    const source = await readConversation({ ...transactionOf(row), pk: fork.pk })
    lineage.push(source)
    fork = source.fork
  }
  return lineage
}

/** The conversation that owns the message before a place: the fork itself or a source. */
export async function ownerBefore(row: ConversationRow, seq: Seq): Promise<ConversationRow> {
  const lineage = await lineageOf(row)
  return lineage.find(({ fork }) => fork === null || seq > fork.at) ?? row
}

/** A conversation with the messages that it owns, or that a fork shares with it. */
export interface Segment extends Log, Pick<ConversationRow, 'indexed'> {
  readonly span: { readonly from: Seq; readonly to: Seq }
}

/** Oldest first; their spans cover [0, head) without overlap. */
export async function segmentsOf(row: ConversationRow): Promise<readonly Segment[]> {
  const segments: Segment[] = []
  let to = row.conversation.head
  for (const { pk, fork, indexed } of await lineageOf(row)) {
    const from = fork?.at ?? 0
    segments.unshift({ ...transactionOf(row), pk, indexed, span: { from, to } })
    to = from
  }
  return segments
}

/** The same for derived rows, the conversation itself first. */
export async function rowSegmentsOf(row: ConversationRow): Promise<readonly RowSegment<Log>[]> {
  const segments: RowSegment<Log>[] = []
  let messagesTo = row.conversation.head
  let positionsTo = Number.MAX_SAFE_INTEGER
  for (const owner of await lineageOf(row)) {
    const from = (owner.fork?.lastPosition ?? 0) + 1
    segments.push({ owner, messagesTo, positions: { from, to: positionsTo } })
    messagesTo = Math.min(messagesTo, owner.fork?.at ?? 0)
    positionsTo = Math.min(positionsTo, from)
  }
  return segments
}

type EventBody = object

export function writeEvents(row: ConversationRow, events: readonly EventBody[], at: number): void {
  const { sql, tenant, tables, pk, eventCount } = row
  if (events.length === 0) return
  for (const [index, event] of events.entries())
    writeEvent(row, event, { number: eventCount + index + 1, at })
  sql.send(`UPDATE ${tables.conversations} SET events = $3 WHERE tenant = $1 AND pk = $2`, [
    encodeText(tenant),
    pk,
    eventCount + events.length,
  ])
}

/** The caller updates the number of events in its conversation. */
export function writeEvent(
  { sql, tenant, tables, pk }: Log,
  event: EventBody,
  { number, at }: { readonly number: number; readonly at: number },
): void {
  sql.send(
    `INSERT INTO ${tables.events} (tenant, conversation, number, at, body)
     VALUES ($1, $2, $3, $4, $5)`,
    [encodeText(tenant), pk, number, at, JSON.stringify(event)],
  )
}

/** Null if there is no such conversation. One statement, so that it reads one state. */
export async function readEvents(
  { sql, tenant, tables }: TenantTransaction,
  {
    id,
    after,
    limit,
  }: { readonly id: ConversationId; readonly after: number; readonly limit: number },
): Promise<readonly EngineEvent[] | null> {
  const rows = await sql.all(
    `SELECT e.number, e.at, e.body FROM ${tables.conversations} c LEFT JOIN LATERAL (
       SELECT number, at, body FROM ${tables.events} e WHERE e.tenant = c.tenant
         AND e.conversation = c.pk AND e.number > $3 ORDER BY e.number LIMIT $4
     ) e ON true WHERE c.tenant = $1 AND c.id = $2 ORDER BY e.number`,
    [encodeText(tenant), encodeText(id), after, limit],
  )
  if (rows.length === 0) return null
  return rows.filter((row) => row['number'] !== null).map(eventOf)
}

function eventOf(row: Row): EngineEvent {
  const body = jsonCell<EngineEvent>(row['body'])
  return { ...(body as EngineEvent), number: Number(row['number']), at: Number(row['at']) }
}

/** Changes cells of the row of a conversation. */
export function updateConversation(
  { sql, tenant, tables, pk }: Log,
  cells: Readonly<Record<string, Value>>,
): void {
  const changes = Object.keys(cells).map((name, index) => `${name} = $${index + 3}`)
  sql.send(`UPDATE ${tables.conversations} SET ${changes.join()} WHERE tenant = $1 AND pk = $2`, [
    encodeText(tenant),
    pk,
    ...Object.values(cells),
  ])
}
