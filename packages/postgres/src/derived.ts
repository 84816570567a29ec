/** Reads derived rows; all kinds are in one table. */
import {
  type DerivedKind,
  type DerivedRow,
  derivedKinds,
  type RowQuery,
  type RowSegment,
} from 'throughline/stores'
import { encodeText, numberOrNullCell, textCell, textOrNullCell } from './cells.ts'
import type { Row, Value } from './database.ts'
import type { Log } from './rows.ts'

export type Span = { readonly from: number; readonly to: number }

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

export async function ownRows(
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
