import { expect, it } from 'vitest'
import type { RowQuery } from '../../ports/store.ts'
import { rowsCell, shapeOf } from './derived.ts'

it('queries share a statement only if their statements are the same', () => {
  const fields: readonly Partial<RowQuery>[] = [
    { key: 'a' },
    { label: 'a' },
    { span: { from: 0, to: 9 } },
    { boundTo: 9 },
    { unlessVersion: 1 },
    { bare: true },
    { limit: 1 },
    { limit: 2, skip: 1 },
    { order: 'last' },
  ]
  const queries = Array.from({ length: 2 ** fields.length }, (_, bits) =>
    fields
      .filter((_, at) => ((bits >> at) & 1) === 1)
      .reduce<RowQuery>((query, field) => Object.assign(query, field), { kind: 'facts' }),
  )
  const statements = new Map<string, string>()
  for (const query of queries) {
    const [shape, statement] = [shapeOf(query), rowsCell(query)]
    expect(statements.get(shape) ?? statement).toBe(statement)
    statements.set(shape, statement)
  }
  expect(statements.size).toBeGreaterThan(100)
})
