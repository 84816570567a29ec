/** Derived rows of all kinds in one table. */
import {
  checkRow,
  type DerivedKind,
  type DerivedRow,
  derivedKinds,
  kindNames,
  type RecordCommand,
  type RowQuery,
  type RowSegment,
} from 'throughline/stores'
import {
  encodeText,
  encodeTextOrNull,
  numberOrNullCell,
  textCell,
  textOrNullCell,
} from './cells.ts'
import type { Row, Value } from './database.ts'
import type { ConversationRow, Log } from './rows.ts'

type Span = { readonly from: number; readonly to: number }

/** Collects the values of a statement. */
export class Values {
  readonly all: Value[] = []

  /** The placeholder of a value. */
  add(value: Value, type = ''): string {
    return `$${this.all.push(value)}${type && `::${type}`}`
  }
}

/**
 * A SELECT for the rows of a query; `pk` is SQL for the number of their conversation, and `hiddenBy`
 * are conversations whose rows of the same name hide these.
 */
export function rowsSql(
  { tables }: Pick<Log, 'tables'>,
  query: RowQuery,
  values: Values,
  {
    tenant,
    pk,
    version = '',
    hiddenBy = [] as readonly number[],
  }: {
    readonly tenant: string
    readonly pk: string
    readonly version?: string
    readonly hiddenBy?: readonly number[]
  },
): string {
  const { kind, key, label, span, boundTo, limit, skip = 0, bare = false, unlessVersion } = query
  const { kept, positions } = derivedKinds[kind]
  const ofKind = `tenant = ${tenant} AND conversation = ${pk} AND kind = '${kind}'`
  const where = [ofKind]
  if (typeof key === 'string') where.push(`key = ${values.add(encodeText(key), 'text')}`)
  if (typeof key === 'object')
    where.push(`key = (SELECT label FROM ${tables.derived} WHERE tenant = ${tenant}
      AND conversation = ${pk} AND kind = '${key.labelOf.kind}'
      AND key = ${values.add(encodeText(key.labelOf.key), 'text')} LIMIT 1)`)
  if (label === null) where.push('label IS NULL')
  if (typeof label === 'string') where.push(`label = ${values.add(encodeText(label), 'text')}`)
  if (span !== undefined)
    where.push(
      `position >= ${values.add(span.from, 'bigint')} AND position < ${values.add(span.to, 'bigint')}`,
    )
  if (boundTo !== undefined) where.push(`bound <= ${values.add(boundTo, 'bigint')}`)
  if (unlessVersion !== undefined && version !== '')
    where.push(`${version} <> ${values.add(unlessVersion, 'bigint')}`)
  // Old rows are deleted in batches; until then this filter hides them.
  const isNewestAlone = query.order === 'last' && label === undefined && limit === 1 && skip === 0
  if (positions === 'running' && kept !== null && !isNewestAlone)
    where.push(`position > (SELECT max(position) - ${kept} FROM ${tables.derived} WHERE ${ofKind})`)
  if (hiddenBy.length > 0)
    where.push(`NOT EXISTS (SELECT 1 FROM ${tables.derived} nearer WHERE nearer.tenant = ${tenant}
      AND nearer.conversation = ANY(${values.add(hiddenBy, 'bigint[]')})
      AND nearer.kind = '${kind}' AND nearer.position = rows.position AND nearer.key = rows.key)`)
  const page =
    limit === undefined && skip === 0
      ? ''
      : `LIMIT ${values.add(limit === undefined ? null : Math.min(limit, maxRows), 'bigint')}
         OFFSET ${values.add(skip, 'bigint')}`
  return `SELECT key, position, bound, label, ${bare ? "''" : 'body'} AS body
    FROM ${tables.derived} rows WHERE ${where.join(' AND ')}
    ORDER BY ${orders[query.order ?? 'first']} ${page}`
}

const maxRows = 2 ** 53

const orders = {
  first: 'position, key',
  last: 'position DESC, key DESC',
  least: 'bound NULLS FIRST, position, key',
  most: 'bound DESC NULLS LAST, position DESC, key DESC',
} as const

export function derivedRow(kind: DerivedKind, row: Row): DerivedRow {
  return {
    kind,
    position: Number(row['position']),
    key: textCell(row['key']),
    bound: numberOrNullCell(row['bound']),
    label: textOrNullCell(row['label']),
    body: textCell(row['body']),
  }
}

async function ownRows(
  log: Log,
  query: RowQuery,
  hiddenBy: readonly number[] = [],
): Promise<readonly DerivedRow[]> {
  const values = new Values()
  const tenant = values.add(encodeText(log.tenant), 'text')
  const pk = values.add(log.pk, 'bigint')
  const { unlessVersion: _, ...plain } = query
  const sql = rowsSql(log, plain, values, { tenant, pk, hiddenBy })
  return (await log.sql.all(sql, values.all)).map((row) => derivedRow(query.kind, row))
}

/**
 * The same query on the own rows of a conversation without a source; null where only `readRows` can
 * answer it.
 */
export function ownForm(query: RowQuery): RowQuery | null {
  if (query.own) return query
  const { forks } = derivedKinds[query.kind]
  const { order = 'first', span } = query
  switch (forks) {
    case 'none':
    case 'nearest':
      return query
    case 'rows':
      return order === 'first' || order === 'last' ? query : null
    case 'snapshot': {
      // Positions of snapshot rows begin with 1.
      const from = Math.max(1, span?.from ?? 1)
      return { ...query, span: { from, to: span?.to ?? Number.MAX_SAFE_INTEGER } }
    }
  }
}

/** Reads the rows of a query from a conversation, the first segment, and from its sources. */
export async function readRows(
  query: RowQuery,
  segments: readonly RowSegment<Log>[],
): Promise<readonly DerivedRow[]> {
  const [first] = segments
  if (first === undefined) return []
  switch (query.own ? 'none' : derivedKinds[query.kind].forks) {
    case 'none':
      return ownRows(first.owner, query)
    case 'rows':
      return mergedRows(query, segments)
    case 'nearest':
      return nearestRows(query, segments)
    case 'snapshot':
      return snapshotRows(query, segments)
  }
}

async function mergedRows(
  query: RowQuery,
  segments: readonly RowSegment<Log>[],
): Promise<readonly DerivedRow[]> {
  const { span, limit = Number.MAX_SAFE_INTEGER, skip = 0, ...filters } = query
  const found: DerivedRow[] = []
  for (const [index, { owner, messagesTo }] of segments.entries()) {
    const to = Math.min(span?.to ?? Number.MAX_SAFE_INTEGER, messagesTo)
    const shared = { ...filters, span: { from: span?.from ?? 0, to } }
    const nearer = segments.slice(0, index).map((each) => each.owner.pk)
    found.push(...(await ownRows(owner, { ...shared, limit: skip + limit }, nearer)))
  }
  found.sort((left, right) =>
    query.order === 'last' ? right.position - left.position : left.position - right.position,
  )
  return found.slice(skip, skip + limit)
}

async function nearestRows(
  query: RowQuery,
  segments: readonly RowSegment<Log>[],
): Promise<readonly DerivedRow[]> {
  const { boundTo = Number.MAX_SAFE_INTEGER } = query
  for (const [index, { owner, messagesTo }] of segments.entries()) {
    const shared = index === 0 ? query : { ...query, boundTo: Math.min(boundTo, messagesTo) }
    const rows = await ownRows(owner, shared)
    if (rows.length > 0) return rows
  }
  return []
}

/** The segments divide the row positions without overlap, so no row hides another. */
async function snapshotRows(
  query: RowQuery,
  segments: readonly RowSegment<Log>[],
): Promise<readonly DerivedRow[]> {
  const { span, limit = Number.MAX_SAFE_INTEGER, skip = 0, ...filters } = query
  const most = Math.min(limit + skip, Number.MAX_SAFE_INTEGER)
  const found: DerivedRow[] = []
  for (const { owner, positions } of query.order === 'last' ? segments : segments.toReversed()) {
    const from = Math.max(span?.from ?? 0, positions.from)
    const to = Math.min(span?.to ?? Number.MAX_SAFE_INTEGER, positions.to)
    if (from >= to || found.length >= most) continue
    found.push(
      ...(await ownRows(owner, { ...filters, span: { from, to }, limit: most - found.length })),
    )
  }
  return found.slice(skip)
}

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
