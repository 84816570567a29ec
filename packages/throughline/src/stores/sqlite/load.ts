/** Loads a conversation with its rows; own rows need one statement and no transaction. */
import type { Loaded, LoadQuery, RowQuery } from '../../ports/store.ts'
import { isOwn, readRows } from '../derived-read.ts'
import { changedOutside } from './cells.ts'
import { rowsCell, rowsIn, shapeOf, sqliteRows, valuesOf } from './derived.ts'
import {
  conversationColumns,
  conversationRow,
  findConversation,
  rowSegmentsOf,
  type SqliteTenant,
} from './rows.ts'

export function load(tenant: SqliteTenant, { id, rows = [] }: LoadQuery): Loaded | null {
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
