/** The conversations of one tenant in PostgreSQL. Each method is one transaction. */
import type { ConversationId, TenantId } from 'throughline'
import {
  type CommitCommand,
  type CommitOutcome,
  checkPieces,
  isOwn,
  type Loaded,
  type LoadQuery,
  type RecordCommand,
  type RecordOutcome,
  type TenantStore,
} from 'throughline/stores'
import { append } from './append.ts'
import { encodeList, encodeText, encodeTextOrNull } from './cells.ts'
import type { Database, Mode } from './database.ts'
import {
  annotateRows,
  derivedRow,
  findRow,
  ownForm,
  readRows,
  relabelRow,
  rowsSql,
  Values,
  writeRows,
} from './derived.ts'
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
  readConversation,
  readEvents,
  rowSegmentsOf,
  type TableNames,
  type TenantTransaction,
  updateConversation,
  writeEvents,
} from './rows.ts'

export function postgresTenant(
  database: Database,
  tables: TableNames,
  tenant: TenantId,
): TenantStore {
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
    read: (query) => readFrom(query.id, (row) => readMessages(row, query)),
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
  const row = await lockConversation(transaction, id)
  if (row === null) return { kind: 'not-found' }
  const { version } = row.conversation
  if (version !== expectedVersion) return { kind: 'version-moved', version }
  // A new title has no source, unless the fields name one.
  const titleFrom = fields.title === undefined ? row.conversation.titleFrom : null
  const next = { ...row.conversation, titleFrom, ...fields }
  updateConversation(row, {
    title: encodeTextOrNull(next.title),
    title_seq: next.titleFrom,
    meta: next.meta && JSON.stringify(next.meta),
    pins: encodeList(next.pins),
    pinned_to: next.pinnedTo,
    compaction: encodeControl(next.compaction),
    version: version + 1,
  })
  await writeRows(row, rows)
  for (const each of relabel) relabelRow(row, each)
  writeEvents(row, events, at)
  return { kind: 'committed', conversation: (await readConversation(row)).conversation }
}

async function record(
  transaction: TenantTransaction,
  command: RecordCommand,
): Promise<RecordOutcome> {
  const { annotate, onlyIf, events = [], at = 0 } = command
  const row = await lockConversation(transaction, command.id)
  if (row === null) return { kind: 'not-found' }
  if (onlyIf !== undefined) {
    if (onlyIf.serial !== row.pk) return { kind: 'not-found' }
    if (onlyIf.rewrites !== row.conversation.rewrites) return { kind: 'rewritten' }
    const found = onlyIf.row && (await findRow(row, onlyIf.row))
    if (found === null) return { kind: 'not-found' }
    if (found?.bound !== onlyIf.row?.bound) return { kind: 'row-changed' }
  }
  await writeRows(row, command)
  if (annotate !== undefined) await annotateRows(row, annotate)
  writeEvents(row, events, at)
  return { kind: 'recorded' }
}
