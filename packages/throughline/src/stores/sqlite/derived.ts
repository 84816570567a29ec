/**
 * Derived rows of all kinds in one table. Rows cross the driver as one text for each query, because
 * rows by the thousand are slow to cross it one by one; and so all that a request begins with comes
 * with the conversation in one statement.
 */
import { checkRow, derivedKinds, kindNames } from '../../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'
import type { RecordCommand, RecordedRow, RowQuery } from '../../ports/store.ts'
import type { OwnRows } from '../derived-read.ts'
import { type Cell, jsonCell } from './cells.ts'
import type { SqliteConnection, SqliteValue } from './connection.ts'
import type { ConversationRow } from './rows.ts'

/** A part of a statement, with the values that it binds. */
export interface SqlPart {
  readonly sql: string
  readonly values: readonly SqliteValue[]
}

/** One cell with the rows of a conversation: a number that is bound, or a column. */
export function rowsCell(owner: SqlPart, query: RowQuery): SqlPart {
  const { kind, key, label, span, boundTo, limit, skip = 0 } = query
  const { kept, positions } = derivedKinds[kind]
  const own = { sql: `conversation = ${owner.sql} AND kind = '${kind}'`, values: owner.values }
  const where: SqlPart[] = [own]
  if (typeof key === 'string') where.push({ sql: 'key = ?', values: [key] })
  if (typeof key === 'object')
    where.push({
      sql: `key = (SELECT label FROM derived WHERE conversation = ${owner.sql}
        AND kind = '${key.labelOf.kind}' AND key = ?)`,
      values: [...owner.values, key.labelOf.key],
    })
  if (label !== undefined) where.push({ sql: 'label IS ?', values: [label] })
  if (span !== undefined)
    where.push({ sql: 'position >= ? AND position < ?', values: [span.from, span.to] })
  if (boundTo !== undefined) where.push({ sql: 'bound <= ?', values: [boundTo] })
  // Old ones are removed some at a time; until then they are not read.
  const isNewestAlone = query.order === 'last' && label === undefined && limit === 1
  if (positions === 'running' && kept !== null && !isNewestAlone)
    where.push({
      sql: `position > (SELECT max(position) - ${kept} FROM derived WHERE ${own.sql})`,
      values: own.values,
    })
  const page = pageOf(limit ?? null, skip)
  const cells = `key, position, bound, label, ${query.bare ? "''" : 'body'} AS body`
  const rows = `SELECT ${cells} FROM derived WHERE ${where.map(({ sql }) => sql).join(' AND ')}
    ORDER BY ${orders[query.order ?? 'first']} ${page.sql}`
  return {
    sql: `(SELECT json_group_array(json_array(key, position, bound, label, body)) FROM (${rows}))`,
    values: [...where.flatMap(({ values }) => values), ...page.values],
  }
}

/** Written out where every request asks for it: SQLite plans anew with each limit that is bound. */
function pageOf(limit: number | null, skip: number): SqlPart {
  if (skip === 0 && limit === null) return { sql: '', values: [] }
  return skip === 0 && limit === 1
    ? { sql: 'LIMIT 1', values: [] }
    : { sql: 'LIMIT ? OFFSET ?', values: [limit ?? -1, skip] }
}

const orders = {
  first: 'position, key',
  last: 'position DESC, key DESC',
  least: 'bound, position, key',
  most: 'bound DESC, position DESC, key DESC',
} as const

export function rowsIn(cell: Cell, kind: DerivedKind): readonly DerivedRow[] {
  const rows = jsonCell<readonly CellRow[]>(cell, 'derived rows', (all) => all.every(isCellRow))
  return (rows ?? []).map(([key, position, bound, label, body]) => {
    return { kind, position, key, bound, label, body }
  })
}

type CellRow = readonly [
  key: string,
  position: number,
  bound: number | null,
  label: string | null,
  body: string,
]

function isCellRow([key, position, bound, label, body]: CellRow): boolean {
  return (
    [key, label ?? '', body].every((text) => typeof text === 'string') &&
    [position, bound ?? 0].every(Number.isSafeInteger)
  )
}

/** The rows that conversations have themselves, by their numbers. */
export function ownRows(connection: SqliteConnection): OwnRows<number> {
  return {
    rows: (pk, query) => {
      const { sql, values } = rowsCell({ sql: '?', values: [pk] }, query)
      return rowsIn(connection.get(`SELECT ${sql} AS rows`, ...values)?.['rows'], query.kind)
    },
    has: (pk, { kind, position, key }) =>
      connection.get(`SELECT 1 FROM derived ${named(kind)}`, pk, position, key) !== null,
  }
}

/** The kind is written out: bound, SQLite would plan anew with each, for an index of one kind alone. */
function named(kind: DerivedKind): string {
  return `WHERE conversation = ? AND kind = '${kind}' AND position = ? AND key = ?`
}

export function boundOf(
  connection: SqliteConnection,
  pk: number,
  { kind, position, key }: Pick<DerivedRow, 'kind' | 'position' | 'key'>,
): { readonly bound: number | null } | null {
  const row = connection.get(`SELECT bound FROM derived ${named(kind)}`, pk, position, key)
  return row && { bound: row['bound'] === null ? null : Number(row['bound']) }
}

/** Inside a transaction: a row that no store takes ends it. */
export function writeRows(
  connection: SqliteConnection,
  { pk, fork, conversation }: ConversationRow,
  { drop = [], put = [] }: Pick<RecordCommand, 'drop' | 'put'>,
): void {
  for (const { kind, key } of drop)
    connection.run(
      'DELETE FROM derived WHERE conversation = ? AND kind = ? AND key = ?',
      pk,
      kind,
      key,
    )
  for (const row of put) {
    const { kind } = row
    const { positions, forks } = derivedKinds[kind]
    const isCounted = positions === 'next' || row.position === 'next'
    const shared = forks === 'snapshot' ? (fork?.positions ?? 0) : 0
    const last = isCounted ? Math.max(shared, lastPosition(connection, pk, kind)) : 0
    const position = row.position === 'next' ? last + 1 : row.position
    checkRow({ ...row, position }, { head: conversation.head, last })
    putRow(connection, pk, { ...row, position })
  }
  for (const kind of new Set(put.map((row) => row.kind))) makeRoom(connection, pk, kind)
}

/** Of its own rows; 0 where it has none. */
export function lastPosition(connection: SqliteConnection, pk: number, kind: DerivedKind): number {
  const found = connection.get(
    `SELECT max(position) AS last FROM derived WHERE conversation = ? AND kind = '${kind}'`,
    pk,
  )
  return Number(found?.['last'] ?? 0)
}

function putRow(
  connection: SqliteConnection,
  pk: number,
  row: DerivedRow & Pick<RecordedRow, 'keepsSame'>,
): void {
  const { kind, position, key, bound, label, body } = row
  // One that gives way to that of another message is the youngest; any other keeps its age.
  if (row.keepsSame)
    connection.run(
      `DELETE FROM derived ${named(kind)} AND label IS NOT ?`,
      pk,
      position,
      key,
      label,
    )
  connection.run(
    `INSERT INTO derived (conversation, kind, position, key, bound, label, body)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, kind, position, key) DO ${
       row.keepsSame
         ? 'NOTHING'
         : 'UPDATE SET bound = excluded.bound, label = excluded.label, body = excluded.body'
     }`,
    ...[pk, kind, position, key, bound, label, body],
  )
}

function makeRoom(connection: SqliteConnection, pk: number, kind: DerivedKind): void {
  const { kept } = derivedKinds[kind]
  if (kept === null) return
  connection.run(
    `DELETE FROM derived WHERE conversation = ? AND kind = '${kind}' AND number <=
       (SELECT number FROM derived WHERE conversation = ? AND kind = '${kind}'
        ORDER BY number DESC LIMIT 1 OFFSET ${kept})`,
    ...[pk, pk],
  )
}

/**
 * One row at the next position of its conversation, in one statement; nothing where there is no such
 * conversation. Of a kind whose old rows are removed some at a time.
 */
export function writeNextRow(
  connection: SqliteConnection,
  conversation: SqlPart,
  { kind, key, bound, label, body }: RecordedRow,
): boolean {
  const inserted = connection.get(
    `INSERT INTO derived (conversation, kind, position, key, bound, label, body)
     SELECT pk, '${kind}', coalesce(
         (SELECT max(position) FROM derived WHERE conversation = pk AND kind = '${kind}'), 0) + 1,
       ?, ?, ?, ? FROM conversations WHERE ${conversation.sql}
     RETURNING conversation, position`,
    ...[key, bound, label, body],
    ...conversation.values,
  )
  if (inserted === null) return false
  if (Number(inserted['position']) % removedAtOnce === 0)
    makeRoom(connection, Number(inserted['conversation']), kind)
  return true
}

const removedAtOnce = 20

export function relabelRow(
  connection: SqliteConnection,
  pk: number,
  { kind, key, label }: Pick<DerivedRow, 'kind' | 'key' | 'label'>,
): void {
  connection.run(
    'UPDATE derived SET label = ? WHERE conversation = ? AND kind = ? AND key = ?',
    ...[label, pk, kind, key],
  )
}

export function noteInRows(
  connection: SqliteConnection,
  pk: number,
  { kind, value }: NonNullable<RecordCommand['note']>,
): void {
  const { noted } = derivedKinds[kind]
  if (noted === undefined) return
  const query = { kind, boundTo: Number.MAX_SAFE_INTEGER, own: true }
  for (const row of ownRows(connection).rows(pk, query))
    updateRow(connection, pk, noted(row, value))
}

export function updateRow(
  connection: SqliteConnection,
  pk: number,
  { kind, position, key, bound, body }: DerivedRow,
): void {
  connection.run(
    `UPDATE derived SET bound = ?, body = ? ${named(kind)}`,
    ...[bound, body, pk, position, key],
  )
}

export function deleteRow(
  connection: SqliteConnection,
  pk: number,
  { kind, position, key }: Pick<DerivedRow, 'kind' | 'position' | 'key'>,
): void {
  connection.run(`DELETE FROM derived ${named(kind)}`, pk, position, key)
}

/** Rows of all kinds with a fork rule, at these positions, where the other has none of that name. */
export function copyRows(
  connection: SqliteConnection,
  { from, to }: { readonly from: number; readonly to: number },
  forks: 'rows' | 'snapshot',
  positions: { readonly from: number; readonly to: number },
): void {
  for (const kind of kindNames.filter((name) => derivedKinds[name].forks === forks))
    connection.run(
      `INSERT OR IGNORE INTO derived (conversation, kind, position, key, bound, label, body)
       SELECT ?, kind, position, key, bound, label, body FROM derived
       WHERE conversation = ? AND kind = ? AND position >= ? AND position < ?`,
      ...[to, from, kind, positions.from, positions.to],
    )
}
