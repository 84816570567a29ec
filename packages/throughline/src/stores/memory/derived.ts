/** The derived rows of one conversation in memory, without those that it inherits as a fork. */
import { checkRow, derivedKinds, kindNames, MessageChange } from '../../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'
import type { KeptKeys } from '../../domain/forget-turns.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Span } from '../../domain/span.ts'
import type { RecordCommand, RecordedRow, RowQuery } from '../../ports/store.ts'
import { type OwnRows, type RowSegment, readRows } from '../derived-read.ts'

export class MemoryDerived {
  /** By kind and by `nameOf`, oldest first. */
  readonly #rows = new Map<DerivedKind, Map<string, DerivedRow>>()
  /** Snapshot rows up to this row position are those of the source; 0 for none. */
  lastInheritedPosition = 0

  #rowsOf(kind: DerivedKind): Map<string, DerivedRow> {
    const rows = this.#rows.get(kind) ?? new Map<string, DerivedRow>()
    this.#rows.set(kind, rows)
    return rows
  }

  /** By kind, oldest first. */
  all(): readonly DerivedRow[] {
    return [...this.#rows.values()].flatMap((rows) => [...rows.values()])
  }

  find(row: Pick<DerivedRow, 'kind' | 'position' | 'key'>): DerivedRow | null {
    return this.#rowsOf(row.kind).get(nameOf(row)) ?? null
  }

  select(query: RowQuery): readonly DerivedRow[] {
    const { kind, key, label, span, boundTo, bare = false, limit, skip = 0 } = query
    const wantedKey = typeof key === 'object' ? this.#labelOf(key.labelOf) : key
    if (wantedKey === null) return []
    const rows = [...this.#rowsOf(kind).values()].filter(
      (row) =>
        (wantedKey === undefined || row.key === wantedKey) &&
        (label === undefined || row.label === label) &&
        (span === undefined || (row.position >= span.from && row.position < span.to)) &&
        (boundTo === undefined || (row.bound !== null && row.bound <= boundTo)),
    )
    return sorted(rows, query.order)
      .slice(skip, limit === undefined ? undefined : skip + limit)
      .map((row) => ({ ...row, body: bare ? '' : row.body }))
  }

  #labelOf({ kind, key }: Pick<DerivedRow, 'kind' | 'key'>): string | null {
    return [...this.#rowsOf(kind).values()].find((row) => row.key === key)?.label ?? null
  }

  /** The last row position of a kind; snapshot kinds continue after the inherited rows. */
  #lastPosition(kind: DerivedKind): number {
    let last = derivedKinds[kind].forks === 'snapshot' ? this.lastInheritedPosition : 0
    for (const { position } of this.#rowsOf(kind).values()) last = Math.max(last, position)
    return last
  }

  /** Writes all rows or none: an invalid row changes nothing. */
  write({ drop = [], put = [] }: Pick<RecordCommand, 'drop' | 'put'>, head: Seq): void {
    const lastPositions = new Map<DerivedKind, number>()
    for (const row of put) {
      const last = lastPositions.get(row.kind) ?? this.#lastPosition(row.kind)
      const position = row.position === 'next' ? last + 1 : row.position
      checkRow({ ...row, position }, { head, last })
      lastPositions.set(row.kind, Math.max(last, position))
    }
    for (const { kind, key } of drop) this.#update(kind, (row) => (row.key === key ? null : row))
    for (const row of put) this.#put(row)
  }

  #put(recorded: RecordedRow): void {
    const { keepsSame = false, ...fields } = recorded
    const position =
      fields.position === 'next' ? this.#lastPosition(fields.kind) + 1 : fields.position
    const row: DerivedRow = { ...fields, position }
    if (keepsSame && this.find(row)?.label === row.label) return
    const rows = this.#rowsOf(row.kind)
    // A row that replaces the row of another message is the newest; any other keeps its age.
    if (keepsSame) rows.delete(nameOf(row))
    rows.set(nameOf(row), row)
    const { kept } = derivedKinds[row.kind]
    const [oldest] = rows.keys()
    if (kept !== null && rows.size > kept && oldest !== undefined) rows.delete(oldest)
  }

  relabel({ kind, key, label }: Pick<DerivedRow, 'kind' | 'key' | 'label'>): void {
    this.#update(kind, (row) => (row.key === key ? { ...row, label } : row))
  }

  annotate({ kind, value }: NonNullable<RecordCommand['annotate']>): void {
    const { withAnnotation } = derivedKinds[kind]
    if (withAnnotation !== undefined)
      this.#update(kind, (row) => (row.bound === null ? row : withAnnotation(row, value)))
  }

  /** Drops what depended on changed messages; reads inherited rows, but changes only own rows. */
  dropDependent(places: readonly Seq[], keys: KeptKeys, segments: readonly MemorySegment[]): void {
    const change = new MessageChange(places, keys)
    const isChanged = new Set(places)
    for (const kind of kindNames) {
      const { remains, forks } = derivedKinds[kind]
      if (remains === 'none') this.#rows.delete(kind)
      if (remains === 'other-places')
        this.#update(kind, (row) => (isChanged.has(row.position) ? null : row))
      if (typeof remains !== 'function') continue
      // `remains` has to see all rows of a kind in order, inherited ones included.
      const query = { kind, own: forks !== 'snapshot' }
      const remaining = new Map<string, DerivedRow | null>()
      for (const row of readRows(query, segments, memoryRows))
        remaining.set(nameOf(row), remains(row, change))
      this.#update(kind, (row) => remaining.get(nameOf(row)) ?? null)
    }
  }

  addMissing(rows: readonly DerivedRow[]): void {
    for (const row of rows)
      if (this.find(row) === null) this.#rowsOf(row.kind).set(nameOf(row), row)
  }

  /** Replaces each row of a kind, or deletes it where the function returns null. */
  #update(kind: DerivedKind, change: (row: DerivedRow) => DerivedRow | null): void {
    const rows = this.#rowsOf(kind)
    for (const [name, row] of rows) {
      const changed = change(row)
      if (changed === null) rows.delete(name)
      else rows.set(name, changed)
    }
  }
}

export type MemorySegment = RowSegment<MemoryDerived>

export const memoryRows: OwnRows<MemoryDerived> = {
  rows: (owner, query) => owner.select(query),
  has: (owner, row) => owner.find(row) !== null,
}

/** Rows of all kinds that forks share message by message, for these messages. */
export function rowsOfMessages(segments: readonly MemorySegment[], places: Span) {
  return rowsIn(segments, 'rows', places)
}

/** Rows of all snapshot kinds at these row positions. */
export function snapshotRows(segments: readonly MemorySegment[], positions: Span) {
  return rowsIn(segments, 'snapshot', positions)
}

function rowsIn(segments: readonly MemorySegment[], forks: 'rows' | 'snapshot', span: Span) {
  return kindNames
    .filter((kind) => derivedKinds[kind].forks === forks)
    .flatMap((kind) => readRows({ kind, span }, segments, memoryRows))
}

function nameOf({ position, key }: Pick<DerivedRow, 'position' | 'key'>): string {
  return `${position} ${key}`
}

function sorted(
  rows: readonly DerivedRow[],
  order: RowQuery['order'] = 'first',
): readonly DerivedRow[] {
  const isByBound = order === 'least' || order === 'most'
  const ascending = rows.toSorted((left, right) => {
    const byBound = isByBound ? boundOf(left) - boundOf(right) : 0
    const byKey = left.key < right.key ? -1 : 1
    return byBound || left.position - right.position || byKey
  })
  return order === 'last' || order === 'most' ? ascending.toReversed() : ascending
}

/** A row without a bound is before all others, as in a database. */
function boundOf({ bound }: DerivedRow): number {
  return bound ?? Number.NEGATIVE_INFINITY
}
