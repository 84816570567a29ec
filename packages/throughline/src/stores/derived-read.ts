/** Reads derived rows of a conversation and of its sources, by the rules of their kinds. */
import { derivedKinds } from '../domain/derived-kinds.ts'
import type { DerivedRow } from '../domain/derived-row.ts'
import type { Seq } from '../domain/ids.ts'
import type { Span } from '../domain/span.ts'
import type { RowQuery } from '../ports/store.ts'

/** A conversation, or one that it was forked from, with the part that it shares. */
export interface RowSegment<Owner> {
  readonly owner: Owner
  /** The owner shares the messages before this place. */
  readonly messagesTo: Seq
  /** The owner has the snapshot rows at these row positions. */
  readonly positions: Span
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
      return mergedRows(query, segments, own)
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

function mergedRows<Owner>(
  query: RowQuery,
  segments: readonly RowSegment<Owner>[],
  own: OwnRows<Owner>,
): readonly DerivedRow[] {
  const { span = everywhere, limit = Number.MAX_SAFE_INTEGER, skip = 0 } = query
  // An own row hides the row of a source even if it has another label. So a query by label reads
  // all rows with the label, because any number of them may be hidden.
  const needsAll = query.label !== undefined && segments.length > 1
  const found: DerivedRow[] = []
  for (const [index, { owner, messagesTo }] of segments.entries()) {
    const { limit: _, skip: __, ...filters } = query
    const shared = { ...filters, span: { from: span.from, to: Math.min(span.to, messagesTo) } }
    const rows = own.rows(owner, needsAll ? shared : { ...shared, limit: skip + limit })
    const nearerSegments = segments.slice(0, index)
    found.push(...rows.filter((row) => !nearerSegments.some((each) => own.has(each.owner, row))))
  }
  found.sort((left, right) =>
    query.order === 'last' ? right.position - left.position : left.position - right.position,
  )
  return found.slice(skip, skip + limit)
}

function nearestRows<Owner>(
  query: RowQuery,
  segments: readonly RowSegment<Owner>[],
  own: OwnRows<Owner>,
): readonly DerivedRow[] {
  const { boundTo = Number.MAX_SAFE_INTEGER } = query
  for (const [index, { owner, messagesTo }] of segments.entries()) {
    const isOwner = index === 0
    const shared = isOwner ? query : { ...query, boundTo: Math.min(boundTo, messagesTo) }
    const rows = own.rows(owner, shared)
    if (rows.length > 0) return rows
  }
  return []
}

/** The segments divide the row positions without overlap, so no row hides another. */
function snapshotRows<Owner>(
  query: RowQuery,
  segments: readonly RowSegment<Owner>[],
  own: OwnRows<Owner>,
): readonly DerivedRow[] {
  const { span = everywhere, limit = Number.MAX_SAFE_INTEGER, skip = 0, ...filters } = query
  const maxRows = Math.min(limit + skip, Number.MAX_SAFE_INTEGER)
  const found: DerivedRow[] = []
  for (const { owner, positions } of query.order === 'last' ? segments : segments.toReversed()) {
    const from = Math.max(span.from, positions.from)
    const to = Math.min(span.to, positions.to)
    if (from >= to || found.length >= maxRows) continue
    found.push(
      ...own.rows(owner, { ...filters, span: { from, to }, limit: maxRows - found.length }),
    )
  }
  return found.slice(skip)
}

/** All places, or all row positions. */
export const everywhere: Span = { from: 0, to: Number.MAX_SAFE_INTEGER }
