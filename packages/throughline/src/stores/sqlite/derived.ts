/**
 * Derived rows of all kinds in one table. A query returns its rows as one text, because drivers are
 * slow with thousands of rows; so one statement loads a conversation with all rows of a request.
 */
import { checkRow, derivedKinds, kindNames } from '../../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Span } from '../../domain/span.ts'
import type { RecordCommand, RecordedRow, RowQuery } from '../../ports/store.ts'
import type { OwnRows } from '../derived-read.ts'
import { type Cell, jsonCell, textCell } from './cells.ts'
import { insertSql, type SqliteValue } from './connection.ts'
import { packText, unpackText } from './packed-text.ts'
import type { ConversationRow, SqliteLog, SqliteTenant } from './rows.ts'

/** Queries of one shape share a statement. Numbers, because this runs with every load. */
export function shapeOf(query: RowQuery): string {
  const { kind, key, label, span, boundTo, order, unlessVersion } = query
  const labelKind = typeof key === 'object' ? key.labelOf.kind : ''
  const usedFields =
    Number(key !== undefined) |
    (Number(label !== undefined) << 1) |
    (Number(span !== undefined) << 2) |
    (Number(boundTo !== undefined) << 3) |
    (Number(unlessVersion !== undefined) << 4) |
    (Number(query.bare === true) << 5) |
    (limitClauses.indexOf(limitClause(query)) << 6)
  return `${kind} ${order} ${labelKind} ${usedFields};`
}

/** A column with the rows of a query, for a SELECT from `conversations`. See `valuesOf`. */
export function rowsCell(query: RowQuery): string {
  const { kind, key, label, span, boundTo } = query
  const { kept, positions } = derivedKinds[kind]
  const ofKind = `conversation = pk AND kind = '${kind}'`
  const where = [ofKind]
  if (typeof key === 'string') where.push('key = ?')
  if (typeof key === 'object')
    where.push(`key = (SELECT label FROM derived WHERE conversation = pk
      AND kind = '${key.labelOf.kind}' AND key = ?)`)
  if (label !== undefined) where.push('label IS ?')
  if (span !== undefined) where.push('position >= ? AND position < ?')
  if (boundTo !== undefined) where.push('bound <= ?')
  // Old rows are deleted in batches; until then this filter hides them.
  const isNewestAlone = query.order === 'last' && label === undefined && isOne(query)
  if (positions === 'running' && kept !== null && !isNewestAlone)
    where.push(`position > (SELECT max(position) - ${kept} FROM derived WHERE ${ofKind})`)
  const body = query.bare ? "''" : 'body'
  const rows = `FROM derived WHERE ${where.join(' AND ')}
    ORDER BY ${orders[query.order ?? 'first']} ${limitClause(query)}`
  // A body is JSON and may be large: it is not quoted as a JSON string once more.
  const row = `json_array(key, position, bound, label) || char(${separator.charCodeAt(0)}) || body`
  const cell = `(SELECT group_concat(${row}, char(${separator.charCodeAt(0)}))
    FROM (SELECT key, position, bound, label, ${body} AS body ${rows}))`
  return query.unlessVersion === undefined ? cell : `iif(version = ?, NULL, ${cell})`
}

export function valuesOf(queries: readonly RowQuery[]): readonly SqliteValue[] {
  const values: SqliteValue[] = []
  for (const query of queries) {
    const { key, label, span, boundTo, limit = -1, skip = 0, unlessVersion } = query
    if (unlessVersion !== undefined) values.push(unlessVersion)
    if (key !== undefined) values.push(typeof key === 'string' ? key : key.labelOf.key)
    if (label !== undefined) values.push(label)
    if (span !== undefined) values.push(span.from, span.to)
    if (boundTo !== undefined) values.push(boundTo)
    if (limitClause(query) === anyPage) values.push(limit, skip)
  }
  return values
}

function isOne({ limit, skip = 0 }: RowQuery): boolean {
  return limit === 1 && skip === 0
}

/** Frequent limits are literals: SQLite plans a statement again for each bound limit. */
function limitClause(query: RowQuery): string {
  if (isOne(query)) return 'LIMIT 1'
  return query.limit === undefined && (query.skip ?? 0) === 0 ? '' : anyPage
}

const anyPage = 'LIMIT ? OFFSET ?'
const limitClauses = ['', 'LIMIT 1', anyPage]

const orders = {
  first: 'position, key',
  last: 'position DESC, key DESC',
  least: 'bound, position, key',
  most: 'bound DESC, position DESC, key DESC',
} as const

/** Between the parts of a cell with rows; no JSON text contains this character. */
const separator = '\u001e'

export function rowsIn(cell: Cell, { kind }: RowQuery): readonly DerivedRow[] {
  // There are no rows, or the caller has seen this version.
  if (cell === null) return []
  const texts = textCell(cell, what).split(separator)
  const heads = texts.filter((_, index) => index % 2 === 0)
  const areRows = (all: unknown) =>
    Array.isArray(all) && all.length * 2 === texts.length && all.every(isRowHead)
  const rows = jsonCell<readonly RowHead[]>(`[${heads.join()}]`, what, areRows) ?? []
  return rows.map(([key, position, bound, label], index) => {
    return { kind, position, key, bound, label, body: unpackText(texts[index * 2 + 1] ?? '', what) }
  })
}

const what = 'derived rows'

type RowHead = readonly [key: string, position: number, bound: number | null, label: string | null]

function isRowHead([key, position, bound, label]: RowHead): boolean {
  return (
    typeof key === 'string' &&
    (label === null || typeof label === 'string') &&
    Number.isSafeInteger(position) &&
    (bound === null || Number.isSafeInteger(bound))
  )
}

export const sqliteRows: OwnRows<SqliteLog> = {
  rows: ({ connection, pk }, { unlessVersion: _, ...query }) => {
    const sql = `SELECT ${rowsCell(query)} AS rows FROM conversations WHERE pk = ?`
    return rowsIn(connection.get(sql, [...valuesOf([query]), pk])?.['rows'] ?? null, query)
  },
  has: (log, row) => findRow(log, row) !== null,
}

type RowName = Pick<DerivedRow, 'kind' | 'position' | 'key'>

/** A WHERE clause. The kind is a literal, because SQLite plans again for each bound value. */
function isRow(kind: DerivedKind): string {
  return `conversation = ? AND kind = '${kind}' AND position = ? AND key = ?`
}

export function findRow(
  { connection, pk }: SqliteLog,
  { kind, position, key }: RowName,
): { readonly bound: number | null } | null {
  const row = connection.get(`SELECT bound FROM derived WHERE ${isRow(kind)}`, [pk, position, key])
  return row && { bound: row['bound'] === null ? null : Number(row['bound']) }
}

/** Inside a transaction: an invalid row throws and rolls it back. */
export function writeRows(
  log: ConversationRow,
  { drop = [], put = [] }: Pick<RecordCommand, 'drop' | 'put'>,
): void {
  const { connection, pk, fork, conversation } = log
  const deleteKey = 'DELETE FROM derived WHERE conversation = ? AND kind = ? AND key = ?'
  for (const { kind, key } of drop) connection.run(deleteKey, [pk, kind, key])
  const facts: DerivedRow[] = []
  for (const row of put) {
    const { positions, forks } = derivedKinds[row.kind]
    // Other rows may have any position, so the last one is not read.
    const isNext = positions === 'next' || row.position === 'next'
    const lastInherited = forks === 'snapshot' ? (fork?.lastPosition ?? 0) : 0
    const last = isNext ? Math.max(lastInherited, lastPosition(log, row.kind)) : 0
    const position = row.position === 'next' ? last + 1 : row.position
    checkRow({ ...row, position }, { head: conversation.head, last })
    if (row.kind !== 'facts' || row.keepsSame) putRow(log, { ...row, position })
    else facts.push({ ...row, position })
  }
  putFacts(log, facts)
  for (const kind of new Set(put.map((row) => row.kind))) deleteOldRows(log, kind)
}

/** The last row position among own rows; 0 without rows. */
export function lastPosition({ connection, pk }: SqliteLog, kind: DerivedKind): number {
  const where = `WHERE conversation = ? AND kind = '${kind}'`
  const found = connection.get(`SELECT max(position) AS last FROM derived ${where}`, [pk])
  return Number(found?.['last'] ?? 0)
}

function putRow(
  { connection, pk }: SqliteLog,
  row: DerivedRow & Pick<RecordedRow, 'keepsSame'>,
): void {
  const { kind, position, key, bound, label, body, keepsSame } = row
  // A row that replaces the row of another message is the newest; any other keeps its age.
  if (keepsSame) {
    const deleteOther = `DELETE FROM derived WHERE ${isRow(kind)} AND label IS NOT ?`
    connection.run(deleteOther, [pk, position, key, label])
  }
  const cells = { conversation: pk, kind, position, key, bound, label, body: packed(kind, body) }
  const insert = `${insertSql('derived', cells)} ${onConflict} ${keepsSame ? 'NOTHING' : replace}`
  connection.run(insert, Object.values(cells))
}

const onConflict = 'ON CONFLICT (conversation, kind, position, key) DO'
const replace = 'UPDATE SET bound = excluded.bound, label = excluded.label, body = excluded.body'

/** Several rows in a statement take a third of the time, and an imported log has thousands. */
function putFacts(log: SqliteLog, rows: readonly DerivedRow[]): void {
  const inBatches = rows.length - (rows.length % factsPerInsert)
  for (let from = 0; from < inBatches; from += factsPerInsert) {
    const values = rows
      .slice(from, from + factsPerInsert)
      .flatMap(({ kind, position, key, bound, label, body }) => {
        return [log.pk, position, key, bound, label, packed(kind, body)]
      })
    log.connection.run(insertFacts, values)
  }
  for (const row of rows.slice(inBatches)) putRow(log, row)
}

const factsPerInsert = 25
const factValues = Array(factsPerInsert).fill("(?, 'facts', ?, ?, ?, ?, ?)")
const insertFacts = `INSERT INTO derived (conversation, kind, position, key, bound, label, body)
  VALUES ${factValues.join()} ${onConflict} ${replace}`

/** The SQL views read the JSON of summaries. */
export function packed(kind: DerivedKind, body: string): string {
  return kind === 'summary' ? body : packText(body)
}

function deleteOldRows({ connection, pk }: SqliteLog, kind: DerivedKind): void {
  const { kept } = derivedKinds[kind]
  if (kept === null) return
  const ofKind = `conversation = ? AND kind = '${kind}'`
  const newestOld = `SELECT number FROM derived WHERE ${ofKind} ORDER BY number DESC
    LIMIT 1 OFFSET ${kept}`
  connection.run(`DELETE FROM derived WHERE ${ofKind} AND number <= (${newestOld})`, [pk, pk])
}

/** Writes a row in one statement, and deletes old rows in batches; false without a conversation. */
export function writeNextRow(
  { connection, tenant }: SqliteTenant,
  id: ConversationId,
  { kind, key, bound, label, body }: RecordedRow,
): boolean {
  const inserted = connection.get(
    `INSERT INTO derived (conversation, kind, position, key, bound, label, body)
     SELECT pk, '${kind}', coalesce(
         (SELECT max(position) FROM derived WHERE conversation = pk AND kind = '${kind}'), 0) + 1,
       ?, ?, ?, ? FROM conversations WHERE tenant = ? AND id = ?
     RETURNING conversation, position`,
    [key, bound, label, packed(kind, body), tenant, id],
  )
  if (inserted === null) return false
  if (Number(inserted['position']) % deleteBatch === 0)
    deleteOldRows({ connection, pk: Number(inserted['conversation']) }, kind)
  return true
}

const deleteBatch = 20

export function relabelRow(
  { connection, pk }: SqliteLog,
  { kind, key, label }: Pick<DerivedRow, 'kind' | 'key' | 'label'>,
): void {
  const where = 'conversation = ? AND kind = ? AND key = ?'
  connection.update('derived', { label }, where, [pk, kind, key])
}

export function annotateRows(
  log: SqliteLog,
  { kind, value }: NonNullable<RecordCommand['annotate']>,
): void {
  const { withAnnotation } = derivedKinds[kind]
  if (withAnnotation === undefined) return
  const query = { kind, boundTo: Number.MAX_SAFE_INTEGER, own: true }
  for (const row of sqliteRows.rows(log, query)) updateRow(log, withAnnotation(row, value))
}

export function updateRow({ connection, pk }: SqliteLog, row: DerivedRow): void {
  const { kind, position, key, bound, body } = row
  const cells = { bound, body: packed(kind, body) }
  connection.update('derived', cells, isRow(kind), [pk, position, key])
}

export function deleteRow({ connection, pk }: SqliteLog, { kind, position, key }: RowName): void {
  connection.run(`DELETE FROM derived WHERE ${isRow(kind)}`, [pk, position, key])
}

/** Copies missing rows. Positions of `rows` kinds are places of messages. */
export function copyRows(
  { connection, pk }: SqliteLog,
  to: SqliteLog,
  forks: 'rows' | 'snapshot',
  positions: Span,
): void {
  for (const kind of kindNames.filter((name) => derivedKinds[name].forks === forks))
    connection.run(
      `INSERT OR IGNORE INTO derived (conversation, kind, position, key, bound, label, body)
       SELECT ?, kind, position, key, bound, label, body FROM derived
       WHERE conversation = ? AND kind = ? AND position >= ? AND position < ?`,
      [to.pk, pk, kind, positions.from, positions.to],
    )
}
