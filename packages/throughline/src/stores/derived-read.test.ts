import { describe, expect, it } from 'vitest'
import type { DerivedKind, DerivedRow } from '../domain/derived-row.ts'
import type { RowQuery } from '../ports/store.ts'
import { everywhere, isOwn, type RowSegment, readRows } from './derived-read.ts'
import { MemoryDerived, memoryRows } from './memory/derived.ts'

const row = (kind: DerivedKind, position: number, label: string): DerivedRow => ({
  ...{ kind, position, label, key: '', bound: position, body: `"${label} ${position}"` },
})

function owner(kind: DerivedKind, label: string, ...positions: readonly number[]): MemoryDerived {
  const derived = new MemoryDerived()
  derived.addMissing(positions.map((position) => row(kind, position, label)))
  return derived
}

type Segment = RowSegment<MemoryDerived>

/** The found rows, and the queries that each conversation had to answer. */
function read(query: RowQuery, segments: readonly Segment[]) {
  const asked: RowQuery[] = []
  const found = readRows(query, segments, {
    ...memoryRows,
    rows: (each, given) => {
      asked.push(given)
      return memoryRows.rows(each, given)
    },
  })
  return { found: found.map(({ label, position }) => `${label} ${position}`), asked }
}

describe('rows that forks share message by message', () => {
  const own = owner('facts', 'own', 0, 1, 5)
  const segments: readonly Segment[] = [
    { owner: own, messagesTo: 9, positions: everywhere },
    { owner: owner('facts', 'source', 0, 1, 2, 3, 4), messagesTo: 4, positions: everywhere },
  ]
  const found = (query: Partial<RowQuery>) => read({ kind: 'facts', ...query }, segments).found

  it('are hidden by own rows, and sorted from either end', () => {
    const all = ['own 0', 'own 1', 'source 2', 'source 3', 'own 5']
    expect(found({})).toEqual(all)
    expect(found({ order: 'last' })).toEqual(all.toReversed())
    expect(found({ skip: 1, limit: 3 })).toEqual(all.slice(1, 4))
  })

  it('with a label are found after any number of hidden ones', () => {
    expect(found({ label: 'source', limit: 1 })).toEqual(['source 2'])
    expect(found({ label: 'source', limit: 1, skip: 1 })).toEqual(['source 3'])
    expect(found({ label: 'own', limit: 1 })).toEqual(['own 0'])
  })

  it('are limited where they are read, unless hidden ones could be among them', () => {
    const limits = (query: Partial<RowQuery>, of = segments) =>
      read({ kind: 'facts', limit: 2, skip: 1, ...query }, of).asked.map(({ limit }) => limit)
    expect(limits({})).toEqual([3, 3])
    expect(limits({ label: 'source' })).toEqual([undefined, undefined])
    expect(limits({ label: 'own' }, segments.slice(0, 1))).toEqual([3])
  })
})

describe('rows that a fork has as they were at the fork', () => {
  const segments: readonly Segment[] = [
    { owner: owner('turn', 'own', 3, 4, 5), messagesTo: 9, positions: { from: 3, to: 99 } },
    { owner: owner('turn', 'source', 1, 2, 3), messagesTo: 4, positions: { from: 0, to: 3 } },
  ]
  const turns = (query: Partial<RowQuery>) => {
    const { found, asked } = read({ kind: 'turn', ...query }, segments)
    return [found.join(', '), asked.length]
  }

  it('are read from the conversations that have them', () => {
    expect(turns({})).toEqual(['source 1, source 2, own 3, own 4, own 5', 2])
    expect(turns({ order: 'last' })[0]).toBe('own 5, own 4, own 3, source 2, source 1')
    expect(turns({ span: { from: 2, to: 4 } })).toEqual(['source 2, own 3', 2])
  })

  it('are not read where the span has none', () => {
    expect(turns({ span: { from: 3, to: 5 } })).toEqual(['own 3, own 4', 1])
    expect(turns({ span: { from: 0, to: 3 } })).toEqual(['source 1, source 2', 1])
    expect(turns({ span: { from: 3, to: 3 } })).toEqual(['', 0])
  })

  it('are not read beyond the limit', () => {
    expect(turns({ limit: 2 })).toEqual(['source 1, source 2', 1])
    expect(turns({ limit: 3 })).toEqual(['source 1, source 2, own 3', 2])
    expect(turns({ limit: 1, skip: 1 })).toEqual(['source 2', 1])
    expect(turns({ limit: 2, skip: 1 })).toEqual(['source 2, own 3', 2])
    expect(turns({ order: 'last', limit: 3 })).toEqual(['own 5, own 4, own 3', 1])
  })
})

describe('rows that a fork has until it writes its own', () => {
  const source = owner('summary', 'source', 1, 2, 3)
  const segmentsWith = (...own: readonly number[]): readonly Segment[] => [
    { owner: owner('summary', 'own', ...own), messagesTo: 9, positions: everywhere },
    { owner: source, messagesTo: 2, positions: everywhere },
  ]
  const found = (query: Partial<RowQuery>, ...own: readonly number[]) =>
    read({ kind: 'summary', ...query }, segmentsWith(...own)).found

  it('are bound to messages before the fork', () => {
    expect(found({})).toEqual(['source 1', 'source 2'])
    expect(found({ boundTo: 1 })).toEqual(['source 1'])
    expect(found({ boundTo: 9 }, 9)).toEqual(['own 9'])
    expect(found({}, 12)).toEqual(['own 12'])
  })
})

describe('a query for own rows', () => {
  const own: RowQuery = { kind: 'facts', own: true }

  it('reads no source', () => {
    const segments: readonly Segment[] = [
      { owner: owner('facts', 'own', 1), messagesTo: 9, positions: everywhere },
      { owner: owner('facts', 'source', 0), messagesTo: 4, positions: everywhere },
    ]
    expect(read(own, segments)).toEqual({ found: ['own 1'], asked: [own] })
    expect(read({ kind: 'facts' }, []).found).toEqual([])
  })

  it('is one for own rows alone, or for a kind that forks do not inherit', () => {
    expect(isOwn(own)).toBe(true)
    expect(isOwn({ kind: 'view' })).toBe(true)
    expect(isOwn({ kind: 'facts' })).toBe(false)
    expect(isOwn({ kind: 'facts', own: false })).toBe(false)
  })
})
