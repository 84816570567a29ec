/** The conversations of one tenant in PostgreSQL. Each method is one transaction. */
import type { ConversationId, TenantId } from 'throughline'
import {
  type CommitCommand,
  type CommitOutcome,
  checkPieces,
  type DerivedKind,
  isOwn,
  type Loaded,
  type LoadQuery,
  type PieceVectors,
  type RecordCommand,
  type RecordOutcome,
  type TenantStore,
} from 'throughline/stores'
import { append } from './append.ts'
import { encodeList, encodeText, encodeTextOrNull } from './cells.ts'
import type { Database, Mode } from './database.ts'
import { derivedRow, ownForm, readRows, rowsSql, Values } from './derived.ts'
import { createConversation } from './forks.ts'
import { findPieces, index } from './pieces.ts'
import { purge, readPurges } from './purge.ts'
import { readFile, readMessages, readOriginal } from './read.ts'
import { rewrite } from './rewrite.ts'
import {
  type ConversationRow,
  conversationRow,
  encodeControl,
  findConversation,
  listConversations,
  lockConversation,
  readEvents,
  rowSegmentsOf,
  type TableNames,
  type TenantTransaction,
  updateConversation,
  writeEvents,
} from './rows.ts'
import { maxNumbers, nearestPieces, putVectors, vectorSchema } from './vectors.ts'
import { annotateRows, findRow, nextKinds, relabelRow, writeRows } from './write-derived.ts'

export function postgresTenant(
  database: Database,
  tables: TableNames,
  tenant: TenantId,
): TenantStore & { readonly vectors: PieceVectors } {
  const run = <Value>(mode: Mode, action: (transaction: TenantTransaction) => Promise<Value>) =>
    database.transaction(tenant, mode, (sql) => action({ sql, tenant, tables }))
  const write = <Value>(
    id: ConversationId,
    action: (transaction: TenantTransaction) => Promise<Value>,
    mode: Mode = 'write',
  ) => database.inTurn(JSON.stringify([tenant, id]), () => run(mode, action))
  const readFrom = <Value>(
    id: ConversationId,
    read: (row: ConversationRow) => Promise<Value>,
  ): Promise<Value | null> =>
    run('snapshot', async (transaction) => {
      const row = await findConversation(transaction, id)
      return row && read(row)
    })
  return {
    create: (command) => write(command.id, (sql) => createConversation(sql, command)),
    load: async (query) => {
      const own = await run('read', (sql) => loadOwn(sql, query))
      return own === 'shared' ? run('snapshot', (sql) => load(sql, query)) : own
    },
    list: (query) => run('read', (sql) => listConversations(sql, query)),
    append: (command) => write(command.id, (sql) => append(sql, command)),
    read: (query) => run('snapshot', (sql) => readMessages(sql, query)),
    bytes: (query) =>
      readFrom(query.id, (row) =>
        'seq' in query ? readOriginal(row, query.seq) : readFile(row, query.sha256),
      ),
    commit: (command) => write(command.id, (sql) => commit(sql, command)),
    record: (command) => {
      // An event number that was read must not be used again, so events wait for the disk.
      const mode = (command.events ?? []).length > 0 ? 'write' : 'write-async'
      return write(command.id, (sql) => record(sql, command), mode)
    },
    index: async (command) => {
      checkPieces(command)
      return write(command.id, (sql) => index(sql, command), 'write-async')
    },
    search: (query) => readFrom(query.id, (row) => findPieces(row, query)),
    events: (query) =>
      query.id === null
        ? run('read', (sql) => readPurges(sql, query))
        : run('read', (sql) => readEvents(sql, query)),
    rewrite: (command) => write(command.id, (sql) => rewrite(sql, command)),
    purge: (command) => write(command.id, (sql) => purge(sql, command)),
    vectors: {
      nearest: async (query) => {
        const schema = await vectorSchema(database)
        if (schema === null || query.vector.length > maxNumbers) return null
        return readFrom(query.id, (row) => nearestPieces(row, query, schema))
      },
      put: (command) => write(command.id, (sql) => putVectors(sql, command), 'write-async'),
    },
  }
}

/**
 * One statement, and so one state: the conversation and its own rows. `shared` where rows of a source
 * are needed too.
 */
async function loadOwn(
  transaction: TenantTransaction,
  { id, rows = [] }: LoadQuery,
): Promise<Loaded | null | 'shared'> {
  const own = rows.map(ownForm)
  const { sql, tenant, tables } = transaction
  const values = new Values()
  const [ofTenant, ofId] = [values.add(encodeText(tenant)), values.add(encodeText(id))]
  const pk = '(SELECT pk FROM found)'
  const version = '(SELECT version FROM found)'
  const selects = own.map((query, at) =>
    query === null
      ? null
      : `(SELECT ${at} AS query, rows.* FROM (
           ${rowsSql(transaction, query, values, { tenant: ofTenant, pk, version })}) rows)`,
  )
  const found = await sql.all(
    `WITH found AS MATERIALIZED (
       SELECT * FROM ${tables.conversations} WHERE tenant = ${ofTenant} AND id = ${ofId}
     ) SELECT -1 AS query, NULL::text AS key, NULL::bigint AS position, NULL::bigint AS bound,
         NULL::text AS label, row_to_json(found)::text AS body FROM found
     ${selects.map((select) => (select === null ? '' : `UNION ALL ${select}`)).join(' ')}`,
    values.all,
  )
  const head = found.find((row) => row['query'] === -1)
  if (head === undefined) return null
  const row = conversationRow(transaction, JSON.parse(head['body'] as string))
  const { conversation, pk: serial, fork } = row
  if (own.includes(null)) return 'shared'
  if (fork !== null && rows.some((query) => !isOwn(query))) return 'shared'
  return {
    conversation,
    serial,
    rows: rows.map(({ kind }, at) =>
      found.filter((each) => each['query'] === at).map((each) => derivedRow(kind, each)),
    ),
  }
}

async function load(
  transaction: TenantTransaction,
  { id, rows = [] }: LoadQuery,
): Promise<Loaded | null> {
  const row = await findConversation(transaction, id)
  if (row === null) return null
  const segments = await rowSegmentsOf(row)
  const { conversation, pk: serial } = row
  const found = await Promise.all(
    rows.map((query) =>
      query.unlessVersion === conversation.version ? [] : readRows(query, segments),
    ),
  )
  return { conversation, serial, rows: found }
}

/** Checks the version, as `record` does not. */
async function commit(
  transaction: TenantTransaction,
  { id, expectedVersion, fields = {}, relabel = [], events, at, ...rows }: CommitCommand,
): Promise<CommitOutcome> {
  const { row, positions } = await lockWithPositions(transaction, id, nextKinds(rows))
  if (row === null) return { kind: 'not-found' }
  const { version } = row.conversation
  if (version !== expectedVersion) return { kind: 'version-moved', version }
  // A new title has no source, unless the fields name one.
  const titleFrom = fields.title === undefined ? row.conversation.titleFrom : null
  const conversation = { ...row.conversation, titleFrom, ...fields, version: version + 1 }
  updateConversation(row, {
    title: encodeTextOrNull(conversation.title),
    title_seq: conversation.titleFrom,
    meta: conversation.meta && JSON.stringify(conversation.meta),
    pins: encodeList(conversation.pins),
    pinned_to: conversation.pinnedTo,
    compaction: encodeControl(conversation.compaction),
    version: conversation.version,
  })
  await writeRows(row, rows, positions)
  for (const each of relabel) relabelRow(row, each)
  writeEvents(row, events, at)
  return { kind: 'committed', conversation }
}

async function record(
  transaction: TenantTransaction,
  command: RecordCommand,
): Promise<RecordOutcome> {
  const { annotate, onlyIf, events = [], at = 0 } = command
  const kinds = nextKinds(command)
  const { row, positions } = await lockWithPositions(transaction, command.id, kinds)
  if (row === null) return { kind: 'not-found' }
  if (onlyIf !== undefined) {
    if (onlyIf.serial !== row.pk) return { kind: 'not-found' }
    if (onlyIf.rewrites !== row.conversation.rewrites) return { kind: 'rewritten' }
    const found = onlyIf.row && (await findRow(row, onlyIf.row))
    if (found === null) return { kind: 'not-found' }
    if (found?.bound !== onlyIf.row?.bound) return { kind: 'row-changed' }
  }
  await writeRows(row, command, positions)
  if (annotate !== undefined) await annotateRows(row, annotate)
  writeEvents(row, events, at)
  return { kind: 'recorded' }
}

/** One round trip: the lock, then the last positions of these kinds, read after the lock is given. */
async function lockWithPositions(
  transaction: TenantTransaction,
  id: ConversationId,
  kinds: ReadonlySet<DerivedKind>,
): Promise<{
  readonly row: ConversationRow | null
  readonly positions: ReadonlyMap<DerivedKind, number>
}> {
  const { sql, tenant, tables } = transaction
  const locking = lockConversation(transaction, id)
  if (kinds.size === 0) return { row: await locking, positions: new Map() }
  const reading = sql.all(
    `SELECT asked.kind, coalesce((SELECT max(d.position) FROM ${tables.derived} d
       WHERE d.tenant = $1 AND d.conversation = c.pk AND d.kind = asked.kind), 0) AS last
     FROM ${tables.conversations} c, unnest($3::text[]) AS asked(kind) WHERE c.tenant = $1 AND c.id = $2`,
    [encodeText(tenant), encodeText(id), [...kinds]],
  )
  const [row, found] = await Promise.all([locking, reading])
  // Safe cast: the names that were asked for.
  const positions = found.map(
    (each) => [each['kind'] as DerivedKind, Number(each['last'])] as const,
  )
  return { row, positions: new Map(positions) }
}
