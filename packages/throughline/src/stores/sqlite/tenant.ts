/** The conversations of one tenant in SQLite. Each method is one transaction or one read. */
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import type {
  AppendCommand,
  CommitCommand,
  CommitOutcome,
  CreateCommand,
  Loaded,
  LoadQuery,
  RecordCommand,
  RecordOutcome,
  RowQuery,
  TenantStore,
} from '../../ports/store.ts'
import { isOwn, readRows } from '../derived-read.ts'
import { append } from './append.ts'
import { changedOutside, encodeList } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import {
  annotateRows,
  findRow,
  relabelRow,
  rowsCell,
  rowsIn,
  shapeOf,
  sqliteRows,
  valuesOf,
  writeNextRow,
  writeRows,
} from './derived.ts'
import { createConversation } from './forks.ts'
import { purge, readPurges } from './purge.ts'
import { readFile, readMessages, readOriginal } from './read.ts'
import { rewrite } from './rewrite.ts'
import { updateConversation } from './row-hash.ts'
import {
  type ConversationRow,
  conversationColumns,
  conversationRow,
  encodeControl,
  findConversation,
  listConversations,
  readConversation,
  readEvents,
  rowSegmentsOf,
  type SqliteTenant,
  writeEvents,
} from './rows.ts'
import { findPieces, index } from './search-index.ts'

export function sqliteTenant(connection: SqliteConnection, id: TenantId): TenantStore {
  const tenant = { connection, tenant: id }
  const readFrom = <Value>(
    conversation: ConversationId,
    read: (row: ConversationRow) => Value,
  ): Value | null =>
    connection.read(() => {
      const row = findConversation(tenant, conversation)
      return row && read(row)
    })
  const writes = writesOf(tenant)
  const write =
    <Command, Outcome>(action: (command: Command) => Outcome | Promise<Outcome>) =>
    (command: Command): Promise<Outcome> =>
      connection.afterErasure(() => action(command))
  return {
    create: write(writes.create),
    load: async (query) => load(tenant, query),
    list: async (query) => listConversations(tenant, query),
    append: write(writes.append),
    read: async (query) => readFrom(query.id, (row) => readMessages(row, query)),
    bytes: async (query) =>
      readFrom(query.id, (row) =>
        'seq' in query ? readOriginal(row, query.seq) : readFile(row, query.sha256),
      ),
    commit: write(writes.commit),
    record: write(writes.record),
    index: write((command) => index(tenant, command)),
    search: async (query) => readFrom(query.id, (row) => findPieces(row, query)),
    events: async (query) =>
      query.id === null
        ? readPurges(tenant, query)
        : readFrom(query.id, (row) => readEvents(row, query)),
    rewrite: write((command) => rewrite(tenant, command)),
    purge: write((command) => purge(tenant, command)),
  }
}

/** Writes that run at once, each in a transaction of its own, or in that of `connection.group`. */
export function writesOf(tenant: SqliteTenant) {
  const { connection } = tenant
  return {
    create: (command: CreateCommand) => connection.write(() => createConversation(tenant, command)),
    append: (command: AppendCommand) => connection.write(() => append(tenant, command)),
    commit: (command: CommitCommand) => connection.write(() => commit(tenant, command)),
    record: (command: RecordCommand) => record(tenant, command),
  }
}

/** Own rows need one statement and no transaction. */
function load(tenant: SqliteTenant, { id, rows = [] }: LoadQuery): Loaded | null {
  if (rows.every(isOwn)) return loadOwn(tenant, { id, rows })
  return tenant.connection.read(() => {
    const row = findConversation(tenant, id)
    if (row === null) return null
    const segments = rowSegmentsOf(row)
    const { conversation, pk: serial } = row
    const isSeen = ({ unlessVersion }: RowQuery) => unlessVersion === conversation.version
    const found = rows.map((query) => (isSeen(query) ? [] : readRows(query, segments, sqliteRows)))
    return { conversation, serial, rows: found }
  })
}

function loadOwn(
  { connection, tenant }: SqliteTenant,
  { id, rows }: Required<LoadQuery>,
): Loaded | null {
  const { sql, cells } = statementOf(rows)
  const found = connection.get(sql, [...valuesOf(rows), tenant, id])
  if (found === null) return null
  const { conversation, pk: serial, fork } = conversationRow(connection, found)
  // A request reads from the end of the log, so that must exist.
  if (rows.length > 0 && found['newest'] === null && conversation.head > (fork?.at ?? 0))
    throw changedOutside(`the end of conversation "${id}"`)
  return {
    conversation,
    serial,
    rows: rows.map((query, index) => rowsIn(found[cells[index] ?? ''], query)),
  }
}

interface LoadStatement {
  readonly sql: string
  /** The names of the cells with rows, in the order of the queries. */
  readonly cells: readonly string[]
}

/** Built once for each shape of queries, because building takes longer than a load. */
function statementOf(rows: readonly RowQuery[]): LoadStatement {
  let shape = ''
  for (const query of rows) shape += shapeOf(query)
  const known = statements.get(shape)
  if (known !== undefined) return known
  const cells = rows.map((_, index) => `rows_${index}`)
  const columns = rows.map((query, index) => `${rowsCell(query)} AS ${cells[index]}`)
  const sql = `SELECT ${[conversationColumns, newest, ...columns].join()} FROM conversations
    WHERE tenant = ? AND id = ?`
  const statement = { sql, cells }
  statements.set(shape, statement)
  return statement
}

const statements = new Map<string, LoadStatement>()

const newest = '(SELECT 1 FROM messages WHERE place = (pk << 32) | (head - 1)) AS newest'

/** In the caller's transaction. Checks the version, as `record` does not. */
function commit(
  tenant: SqliteTenant,
  { id, expectedVersion, fields = {}, relabel = [], events, at, ...rows }: CommitCommand,
): CommitOutcome {
  const row = findConversation(tenant, id)
  if (row === null) return { kind: 'not-found' }
  const { version } = row.conversation
  if (version !== expectedVersion) return { kind: 'version-moved', version }
  // A new title has no source, unless the fields name one.
  const titleFrom = fields.title === undefined ? row.conversation.titleFrom : null
  const next = { ...row.conversation, titleFrom, ...fields }
  updateConversation(row, {
    title: next.title,
    title_seq: next.titleFrom,
    meta: next.meta && JSON.stringify(next.meta),
    pins: encodeList(next.pins),
    pinned_to: next.pinnedTo,
    compaction: encodeControl(next.compaction),
    version: version + 1,
  })
  writeRows(row, rows)
  for (const each of relabel) relabelRow(row, each)
  writeEvents(row, events, at)
  return { kind: 'committed', conversation: readConversation(row).conversation }
}

/** Syncs to disk only with events: an event number that was read must not be used again. */
function record(tenant: SqliteTenant, command: RecordCommand): RecordOutcome {
  const { id, put = [], drop, annotate, onlyIf, events = [] } = command
  const { connection } = tenant
  const [row] = put
  const isRowAlone = put.length === 1 && !drop && !annotate && !onlyIf && events.length === 0
  if (isRowAlone && row?.position === 'next') {
    const isWritten = connection.withoutSync(() => writeNextRow(tenant, id, row))
    return { kind: isWritten ? 'recorded' : 'not-found' }
  }
  const write = () => {
    const found = findConversation(tenant, id)
    return found === null ? notFound : recordRows(found, command)
  }
  return events.length > 0 ? connection.write(write) : connection.writeWithoutSync(write)
}

const notFound = Object.freeze({ kind: 'not-found' })

function recordRows(row: ConversationRow, command: RecordCommand): RecordOutcome {
  const { annotate, onlyIf, events = [], at = 0 } = command
  if (onlyIf !== undefined) {
    if (onlyIf.serial !== row.pk) return notFound
    if (onlyIf.rewrites !== row.conversation.rewrites) return { kind: 'rewritten' }
    const found = onlyIf.row && findRow(row, onlyIf.row)
    if (found === null) return notFound
    if (found?.bound !== onlyIf.row?.bound) return { kind: 'row-changed' }
  }
  writeRows(row, command)
  if (annotate !== undefined) annotateRows(row, annotate)
  writeEvents(row, events, at)
  return { kind: 'recorded' }
}
