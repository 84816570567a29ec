/**
 * Reads derived rows of a conversation and of the ones it was forked from, by the rule of their
 * kind. All stores share this code.
 */
import { derivedKinds } from '../domain/derived-kinds.ts'
import type { DerivedRow } from '../domain/derived-row.ts'
import type { Seq } from '../domain/ids.ts'
import type { RowQuery } from '../ports/store.ts'

/** A conversation, or one that it was forked from, with the part that it shares. */
export interface RowSegment<Owner> {
  readonly owner: Owner
  /** It shares the messages before this position. */
  readonly to: Seq
  /** It has the rows of snapshot kinds at positions after `after`, up to `last`. */
  readonly after: number
  readonly last: number
}

/** How a store reads the own rows of a conversation. */
export interface OwnRows<Owner> {
  rows(owner: Owner, query: RowQuery): readonly DerivedRow[]
  has(owner: Owner, row: Pick<DerivedRow, 'kind' | 'position' | 'key'>): boolean
}

/**
 * Reads the rows of a query. The conversation itself is the first segment, its source the next.
 *
 * @example
 * const rows = readRows({ kind: 'facts' }, segments, own)
 */
export function readRows<Owner>(
  query: RowQuery,
  segments: readonly RowSegment<Owner>[],
  own: OwnRows<Owner>,
): readonly DerivedRow[] {
  const [first] = segments
  if (first === undefined) return []
  const { forks } = derivedKinds[query.kind]
  switch (query.own ? 'none' : forks) {
    case 'none':
      return own.rows(first.owner, query)
    case 'rows':
      return visibleRows(query, segments, own)
    case 'nearest':
      return nearestRows(query, segments, own)
    case 'snapshot':
      return snapshotRows(query, segments, own)
  }
}

/** Whether a query needs only the own rows of a conversation. See `readRows`. */
export function isOwn(query: RowQuery): boolean {
  return query.own === true || derivedKinds[query.kind].forks === 'none'
}

function visibleRows<Owner>(
  query: RowQuery,
  segments: readonly RowSegment<Owner>[],
  own: OwnRows<Owner>,
): readonly DerivedRow[] {
  const { span = everywhere, limit = Number.MAX_SAFE_INTEGER, skip = 0 } = query
  // An own row hides the row of a source, whatever its label, so a query by label reads all of
  // them.
  const most = query.label === undefined || segments.length === 1 ? skip + limit : undefined
  const found: DerivedRow[] = []
  for (const [index, { owner, to }] of segments.entries()) {
    const shared = { from: span.from, to: Math.min(span.to, to) }
    const { limit: _, skip: __, ...asked } = query
    const rows = own.rows(owner, {
      ...asked,
      span: shared,
      ...(most !== undefined && { limit: most }),
    })
    const nearerSegments = segments.slice(0, index)
    found.push(...rows.filter((row) => !nearerSegments.some((each) => own.has(each.owner, row))))
  }
  const sign = query.order === 'last' ? -1 : 1
  return found
    .sort((left, right) => sign * (left.position - right.position))
    .slice(skip, skip + limit)
}

function nearestRows<Owner>(
  query: RowQuery,
  segments: readonly RowSegment<Owner>[],
  own: OwnRows<Owner>,
): readonly DerivedRow[] {
  for (const [index, { owner, to }] of segments.entries()) {
    const { boundTo = Number.MAX_SAFE_INTEGER } = query
    const shared = index === 0 ? query : { ...query, boundTo: Math.min(boundTo, to) }
    const rows = own.rows(owner, shared)
    if (rows.length > 0) return rows
  }
  return []
}

/** Segments tile the positions, so each adds rows up to the limit. */
function snapshotRows<Owner>(
  query: RowQuery,
  segments: readonly RowSegment<Owner>[],
  own: OwnRows<Owner>,
): readonly DerivedRow[] {
  const { span = everywhere, limit = Number.MAX_SAFE_INTEGER, skip = 0, ...asked } = query
  const most = Math.min(limit + skip, Number.MAX_SAFE_INTEGER)
  const found: DerivedRow[] = []
  for (const { owner, after, last } of query.order === 'last' ? segments : segments.toReversed()) {
    const shared = { from: Math.max(span.from, after + 1), to: Math.min(span.to, last + 1) }
    if (shared.from >= shared.to || found.length >= most) continue
    found.push(...own.rows(owner, { ...asked, span: shared, limit: most - found.length }))
  }
  return found.slice(skip)
}

const everywhere = { from: 0, to: Number.MAX_SAFE_INTEGER }
