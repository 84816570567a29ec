/**
 * Random turns of an agent with a consistent database: a draft has a temporary id, a written
 * entity a real one, and only stored entities are read or deleted.
 */
import fc from 'fast-check'
import type { EntityState } from '../domain/entity.ts'
import type { EntityUpdate, TurnEntity } from '../domain/turn-memory.ts'
import { reported } from './entity.test-support.ts'

export interface Played {
  readonly reported: readonly TurnEntity[]
  readonly updates: readonly EntityUpdate[]
  readonly text: string
  /** The ids that the database has after the turn. */
  readonly rows: ReadonlySet<string>
}

type Action =
  | {
      readonly kind: 'generate' | 'write' | 'read' | 'delete' | 'name'
      readonly thing: number
      readonly fails: boolean
    }
  | { readonly kind: 'update'; readonly thing: number; readonly state: EntityState }

const thing = fc.nat({ max: 4 })
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('generate', 'write', 'read', 'delete', 'name'),
    thing,
    fails: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('update'),
    thing,
    state: fc.constantFrom<EntityState>('pending', 'active', 'inactive'),
  }),
)

export const randomTurns: fc.Arbitrary<readonly Played[]> = fc
  .array(fc.array(action, { maxLength: 4 }), { maxLength: 12 })
  .map(play)

function labelOf(thing: number): string {
  return `Dish number ${thing}`
}

function play(turns: readonly (readonly Action[])[]): readonly Played[] {
  const rows = new Set<string>()
  return turns.map((actions) => {
    const done = actions.flatMap((action) => reportedBy(action, rows))
    return {
      reported: done,
      updates: actions.flatMap((action) =>
        action.kind === 'update' ? [{ id: `temp_${action.thing}`, state: action.state }] : [],
      ),
      text: actions
        .flatMap(({ kind, thing }) => (kind === 'name' ? [labelOf(thing)] : []))
        .join(', '),
      rows: new Set(rows),
    }
  })
}

function reportedBy(action: Action, rows: Set<string>): readonly TurnEntity[] {
  const [id, formerId, label] = [`r-${action.thing}`, `temp_${action.thing}`, labelOf(action.thing)]
  const isStored = rows.has(id)
  if (action.kind === 'update' || action.kind === 'name') return []
  const succeeded = !action.fails
  switch (action.kind) {
    case 'generate':
      // A draft of a stored entity has its real id.
      return [reported({ id: isStored ? id : formerId, label, succeeded })]
    case 'write': {
      if (succeeded) rows.add(id)
      const write = isStored ? 'update' : 'create'
      return [reported({ id, formerId, label, source: 'db_write', action: write, succeeded })]
    }
    case 'read':
      return isStored ? [reported({ id, label, source: 'db_read' })] : []
    case 'delete':
      if (!isStored) return []
      if (succeeded) rows.delete(id)
      return [reported({ id, label, source: 'db_write', action: 'delete', succeeded })]
  }
}
