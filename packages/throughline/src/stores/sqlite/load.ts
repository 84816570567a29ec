/**
 * A conversation with its rows. Where all rows are its own it is one statement, and so of one state
 * without a transaction: every request begins with it.
 */
import type { TenantId } from '../../domain/ids.ts'
import type { Loaded, LoadQuery, RowQuery } from '../../ports/store.ts'
import { isOwn, readRows } from '../derived-read.ts'
import { changedOutside } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { ownRows, rowsCell, rowsIn } from './derived.ts'
import { findConversation } from './find.ts'
import { rowSegmentsOf } from './read.ts'
import { conversationColumns, conversationRow } from './rows.ts'

export function load(
  connection: SqliteConnection,
  tenant: TenantId,
  query: LoadQuery,
): Loaded | null {
  const { id, rows = [] } = query
  if (rows.every(isOwn)) return loadAtOnce(connection, tenant, { id, rows })
  return connection.read(() => {
    const row = findConversation(connection, tenant, id)
    if (row === null) return null
    const segments = rowSegmentsOf(connection, row)
    const { conversation, pk: serial } = row
    const isSeen = ({ unlessVersion }: RowQuery) => unlessVersion === conversation.version
    const found = rows.map((each) =>
      isSeen(each) ? [] : readRows(each, segments, ownRows(connection)),
    )
    return { conversation, serial, rows: found }
  })
}

function loadAtOnce(
  connection: SqliteConnection,
  tenant: TenantId,
  { id, rows }: Required<LoadQuery>,
): Loaded | null {
  const cells = rows.map((query) => {
    const { sql, values } = rowsCell({ sql: 'pk', values: [] }, query)
    return query.unlessVersion === undefined
      ? { sql, values }
      : { sql: `iif(version = ?, '[]', ${sql})`, values: [query.unlessVersion, ...values] }
  })
  const columns = cells.map(({ sql }, index) => `${sql} AS rows_${index}`)
  const found = connection.get(
    `SELECT ${[conversationColumns, newest, ...columns].join()} FROM conversations
     WHERE tenant = ? AND id = ?`,
    ...cells.flatMap(({ values }) => values),
    tenant,
    id,
  )
  if (found === null) return null
  const { conversation, pk: serial, fork } = conversationRow(found)
  // A request reads back from the end of the log, so that has to be there.
  if (rows.length > 0 && found['newest'] === null && conversation.head > (fork?.at ?? 0))
    throw changedOutside(`the end of conversation "${id}"`)
  return {
    conversation,
    serial,
    rows: rows.map(({ kind }, index) => rowsIn(found[`rows_${index}`], kind)),
  }
}

const newest = '(SELECT 1 FROM messages WHERE place = (pk << 32) | (head - 1)) AS newest'
