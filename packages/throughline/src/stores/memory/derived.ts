/** The own derived rows of one conversation in memory. */
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
  /** Snapshot rows up to this position are those of its source. */
  shared = 0

  #of(kind: DerivedKind): Map<string, DerivedRow> {
    const rows = this.#rows.get(kind) ?? new Map<string, DerivedRow>()
    this.#rows.set(kind, rows)
    return rows
  }

  find(row: RowName): DerivedRow | null {
    return this.#of(row.kind).get(nameOf(row)) ?? null
  }

  select(query: RowQuery): readonly DerivedRow[] {
    const { kind, key, label, span, boundTo, bare = false, limit, skip = 0 } = query
    const wanted = typeof key === 'object' ? this.#labelOf(key.labelOf) : key
    if (wanted === null) return []
    const rows = [...this.#of(kind).values()].filter(
      (row) =>
        (wanted === undefined || row.key === wanted) &&
        (label === undefined || row.label === label) &&
        (span === undefined || (row.position >= span.from && row.position < span.to)) &&
        (boundTo === undefined || (row.bound !== null && row.bound <= boundTo)),
    )
    return sorted(rows, query.order)
      .slice(skip, limit === undefined ? undefined : skip + limit)
      .map((row) => ({ ...row, ...(bare && { body: '' }) }))
  }

  #labelOf({ kind, key }: Pick<DerivedRow, 'kind' | 'key'>): string | null {
    return [...this.#of(kind).values()].find((row) => row.key === key)?.label ?? null
  }

  /** The last position of a kind, for snapshot kinds also of its source. */
  last(kind: DerivedKind): number {
    let last = derivedKinds[kind].forks === 'snapshot' ? this.shared : 0
    for (const { position } of this.#of(kind).values()) last = Math.max(last, position)
    return last
  }

  /** Writes all rows or none: an invalid row changes nothing. */
  write({ drop = [], put = [] }: Pick<RecordCommand, 'drop' | 'put'>, head: Seq): void {
    const lasts = new Map<DerivedKind, number>()
    for (const row of put) {
      const last = lasts.get(row.kind) ?? this.last(row.kind)
      const position = row.position === 'next' ? last + 1 : row.position
      checkRow({ ...row, position }, { head, last })
      lasts.set(row.kind, Math.max(last, position))
    }
    for (const { kind, key } of drop) this.#keep(kind, (row) => row.key !== key)
    for (const row of put) this.#put(row)
  }

  #put(recorded: RecordedRow): void {
    const { keepsSame = false, ...placed } = recorded
    const position = recorded.position === 'next' ? this.last(recorded.kind) + 1 : recorded.position
    const row: DerivedRow = { ...placed, position }
    const known = this.find(row)
    if (known !== null && keepsSame && known.label === row.label) return
    const rows = this.#of(row.kind)
    // A row that replaces the row of another message is the newest; any other keeps its age.
    if (keepsSame) rows.delete(nameOf(row))
    rows.set(nameOf(row), row)
    const { kept } = derivedKinds[row.kind]
    const [oldest] = rows.keys()
    if (kept !== null && rows.size > kept && oldest !== undefined) rows.delete(oldest)
  }

  relabel({ kind, key, label }: Pick<DerivedRow, 'kind' | 'key' | 'label'>): void {
    this.#keep(kind, (row) => (row.key === key ? { ...row, label } : true))
  }

  note({ kind, value }: NonNullable<RecordCommand['note']>): void {
    const { withNote } = derivedKinds[kind]
    if (withNote !== undefined)
      this.#keep(kind, (row) => row.bound === null || withNote(row, value))
  }

  /** Reads shared rows too, but changes only own rows. */
  forget(places: readonly Seq[], keys: KeptKeys, segments: readonly MemorySegment[]): void {
    const change = new MessageChange(places, keys)
    const isChanged = new Set(places)
    for (const kind of kindNames) {
      const { remains, forks } = derivedKinds[kind]
      if (remains === 'none') this.#rows.delete(kind)
      if (remains === 'other-places') this.#keep(kind, (row) => !isChanged.has(row.position))
      if (typeof remains !== 'function') continue
      const asked = forks === 'snapshot' ? segments : segments.slice(0, 1)
      const left = new Map(
        readRows({ kind }, asked, memoryRows).map((row) => [nameOf(row), remains(row, change)]),
      )
      this.#keep(kind, (row) => left.get(nameOf(row)) ?? false)
    }
  }

  addMissing(rows: readonly DerivedRow[]): void {
    for (const row of rows) if (this.find(row) === null) this.#of(row.kind).set(nameOf(row), row)
  }

  #keep(kind: DerivedKind, stays: (row: DerivedRow) => DerivedRow | boolean): void {
    const rows = this.#of(kind)
    for (const [name, row] of rows) {
      const kept = stays(row)
      if (kept === false) rows.delete(name)
      else if (kept !== true) rows.set(name, kept)
    }
  }
}

type RowName = Pick<DerivedRow, 'kind' | 'position' | 'key'>

export type MemorySegment = RowSegment<MemoryDerived>

export const memoryRows: OwnRows<MemoryDerived> = {
  rows: (owner, query) => owner.select(query),
  has: (owner, row) => owner.find(row) !== null,
}

export function rowsShared(
  segments: readonly MemorySegment[],
  forks: 'rows' | 'snapshot',
  span: Span,
): readonly DerivedRow[] {
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
  const sign = order === 'last' || order === 'most' ? -1 : 1
  const isByBound = order === 'least' || order === 'most'
  return rows.toSorted((left, right) => {
    const bounds = isByBound ? (left.bound ?? 0) - (right.bound ?? 0) : 0
    const keys = left.key < right.key ? -1 : 1
    return sign * (bounds || left.position - right.position || keys)
  })
}
