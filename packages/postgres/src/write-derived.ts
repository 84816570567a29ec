/** Writes derived rows. */
import {
  checkRow,
  type DerivedKind,
  type DerivedRow,
  derivedKinds,
  kindNames,
  type RecordCommand,
} from 'throughline/stores'
import { encodeText, encodeTextOrNull, numberOrNullCell } from './cells.ts'
import type { Value } from './database.ts'
import { ownRows, type Span, Values } from './derived.ts'
import type { ConversationRow, Log } from './rows.ts'

type RowName = Pick<DerivedRow, 'kind' | 'position' | 'key'>

const isRow = 'tenant = $1 AND conversation = $2 AND kind = $3 AND position = $4 AND key = $5'

function nameValues({ tenant, pk }: Log, { kind, position, key }: RowName): readonly Value[] {
  return [encodeText(tenant), pk, kind, position, encodeText(key)]
}

export async function findRow(
  log: Log,
  row: RowName,
): Promise<{ readonly bound: number | null } | null> {
  const found = await log.sql.get(
    `SELECT bound FROM ${log.tables.derived} WHERE ${isRow}`,
    nameValues(log, row),
  )
  return found && { bound: numberOrNullCell(found['bound']) }
}

type RowChanges = Pick<RecordCommand, 'drop' | 'put'>

/** Kinds whose rows need the next position. Rows that are dropped first may change it. */
export function nextKinds({ drop = [], put = [] }: RowChanges): ReadonlySet<DerivedKind> {
  const kinds = new Set(put.filter(needsNext).map(({ kind }) => kind))
  for (const { kind } of drop) kinds.delete(kind)
  return kinds
}

/** Other rows may have any position, so the last one is not read. */
function needsNext({ kind, position }: NonNullable<RowChanges['put']>[number]): boolean {
  return derivedKinds[kind].positions === 'next' || position === 'next'
}

/** An invalid row throws, so that the transaction writes nothing. */
export async function writeRows(
  log: ConversationRow,
  { drop = [], put = [] }: RowChanges,
  known: ReadonlyMap<DerivedKind, number>,
): Promise<void> {
  const { sql, tenant, tables, pk, fork, conversation } = log
  for (const { kind, key } of drop)
    sql.send(
      `DELETE FROM ${tables.derived}
       WHERE tenant = $1 AND conversation = $2 AND kind = $3 AND key = $4`,
      [encodeText(tenant), pk, kind, encodeText(key)],
    )
  const lastPositions = new Map<DerivedKind, number>()
  const rows: (DerivedRow & { readonly keepsSame: boolean })[] = []
  for (const row of put) {
    const isNext = needsNext(row)
    const inherited = derivedKinds[row.kind].forks === 'snapshot' ? (fork?.lastPosition ?? 0) : 0
    if (isNext && !lastPositions.has(row.kind)) {
      const own = known.get(row.kind) ?? (await lastPosition(log, row.kind))
      lastPositions.set(row.kind, Math.max(inherited, own))
    }
    const last = lastPositions.get(row.kind) ?? 0
    const position = row.position === 'next' ? last + 1 : row.position
    checkRow({ ...row, position }, { head: conversation.head, last })
    if (isNext) lastPositions.set(row.kind, Math.max(last, position))
    rows.push({ ...row, position, keepsSame: row.keepsSame ?? false })
  }
  putRows(log, rows)
  for (const kind of new Set(rows.map((row) => row.kind)))
    if (derivedKinds[kind].positions !== 'running' || rows.some(isEndOfBatch))
      deleteOldRows(log, kind)
}

/** Old rows of running kinds are hidden, and deleted some at a time. */
function isEndOfBatch({ position }: DerivedRow): boolean {
  return position % deleteBatch === 0
}

const deleteBatch = 20

/** The last row position among own rows; 0 without rows. */
export async function lastPosition(log: Log, kind: DerivedKind): Promise<number> {
  const found = await log.sql.get(
    `SELECT max(position) AS last FROM ${log.tables.derived}
     WHERE tenant = $1 AND conversation = $2 AND kind = $3`,
    [encodeText(log.tenant), log.pk, kind],
  )
  return Number(found?.['last'] ?? 0)
}

/** Consecutive rows in one statement, unless one may replace another or must keep one. */
function putRows(log: Log, rows: readonly (DerivedRow & { readonly keepsSame: boolean })[]): void {
  let batch = new Map<string, DerivedRow>()
  const write = () => {
    insertRows(log, [...batch.values()], replace)
    batch = new Map()
  }
  for (const row of rows) {
    const name = JSON.stringify([row.kind, row.position, row.key])
    if (row.keepsSame || batch.has(name) || batch.size === rowsPerInsert) write()
    if (row.keepsSame) putUnlessSame(log, row)
    else batch.set(name, row)
  }
  write()
}

const rowsPerInsert = 50

/** A row that replaces the row of another message is the newest; any other keeps its age. */
function putUnlessSame(log: Log, row: DerivedRow): void {
  log.sql.send(
    `DELETE FROM ${log.tables.derived} WHERE ${isRow} AND label IS DISTINCT FROM $6::text`,
    [...nameValues(log, row), encodeTextOrNull(row.label)],
  )
  insertRows(log, [row], 'NOTHING')
}

const replace = 'UPDATE SET bound = excluded.bound, label = excluded.label, body = excluded.body'

function insertRows(
  { sql, tenant, tables, pk }: Log,
  rows: readonly DerivedRow[],
  onConflict: string,
): void {
  if (rows.length === 0) return
  const values = new Values()
  values.add(encodeText(tenant))
  values.add(pk)
  const texts = rows.map(({ kind, position, key, bound, label, body }) => {
    const cells = [
      kind,
      position,
      encodeText(key),
      bound,
      encodeTextOrNull(label),
      encodeText(body),
    ]
    return `($1, $2, ${cells.map((cell) => values.add(cell)).join()}, nextval('${tables.ages}'))`
  })
  sql.send(
    `INSERT INTO ${tables.derived}
       (tenant, conversation, kind, position, key, bound, label, body, number)
     VALUES ${texts.join()} ON CONFLICT (tenant, conversation, kind, position, key) DO ${onConflict}`,
    values.all,
  )
}

function deleteOldRows({ sql, tenant, tables, pk }: Log, kind: DerivedKind): void {
  const { kept } = derivedKinds[kind]
  if (kept === null) return
  const ofKind = `tenant = $1 AND conversation = $2 AND kind = '${kind}'`
  sql.send(
    `DELETE FROM ${tables.derived} WHERE ${ofKind} AND number <= (
       SELECT number FROM ${tables.derived} WHERE ${ofKind} ORDER BY number DESC
       LIMIT 1 OFFSET ${kept})`,
    [encodeText(tenant), pk],
  )
}

export function relabelRow(
  { sql, tenant, tables, pk }: Log,
  { kind, key, label }: Pick<DerivedRow, 'kind' | 'key' | 'label'>,
): void {
  sql.send(
    `UPDATE ${tables.derived} SET label = $5
     WHERE tenant = $1 AND conversation = $2 AND kind = $3 AND key = $4`,
    [encodeText(tenant), pk, kind, encodeText(key), encodeTextOrNull(label)],
  )
}

export async function annotateRows(
  log: Log,
  { kind, value }: NonNullable<RecordCommand['annotate']>,
): Promise<void> {
  const { withAnnotation } = derivedKinds[kind]
  if (withAnnotation === undefined) return
  const query = { kind, boundTo: Number.MAX_SAFE_INTEGER, own: true }
  for (const row of await ownRows(log, query)) updateRow(log, withAnnotation(row, value))
}

export function updateRow(log: Log, row: DerivedRow): void {
  log.sql.send(`UPDATE ${log.tables.derived} SET bound = $6, body = $7 WHERE ${isRow}`, [
    ...nameValues(log, row),
    row.bound,
    encodeText(row.body),
  ])
}

export function deleteRow(log: Log, row: RowName): void {
  log.sql.send(`DELETE FROM ${log.tables.derived} WHERE ${isRow}`, nameValues(log, row))
}

/** Copies missing rows. Positions of `rows` kinds are places of messages. */
export function copyRows(
  { sql, tenant, tables, pk }: Log,
  to: Log,
  forks: 'rows' | 'snapshot',
  positions: Span,
): void {
  for (const kind of kindNames.filter((name) => derivedKinds[name].forks === forks))
    sql.send(
      `INSERT INTO ${tables.derived}
         (tenant, conversation, kind, position, key, bound, label, body, number)
       SELECT tenant, $3::bigint, kind, position, key, bound, label, body, nextval('${tables.ages}')
       FROM (SELECT * FROM ${tables.derived} WHERE tenant = $1 AND conversation = $2
         AND kind = $4 AND position >= $5 AND position < $6 ORDER BY number) rows
       ON CONFLICT DO NOTHING`,
      [encodeText(tenant), pk, to.pk, kind, positions.from, positions.to],
    )
}
