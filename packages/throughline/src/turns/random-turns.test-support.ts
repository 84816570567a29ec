/**
 * Turns of an agent with a database, as it really was: what is generated has a temporary id,
 * what is written gets a real one, and only what stands in the database is read or deleted.
 */
import fc from 'fast-check'
import type { EntityState } from '../domain/entity.ts'
import type { EntityUpdate, TurnEntity } from '../domain/turn-memory.ts'
import { brought } from './entity.test-support.ts'

export interface Played {
  readonly brought: readonly TurnEntity[]
  readonly updates: readonly EntityUpdate[]
  readonly text: string
  /** The ids that the database has behind the turn. */
  readonly rows: ReadonlySet<string>
}

type Deed =
  | {
      readonly kind: 'generate' | 'write' | 'read' | 'delete' | 'name'
      readonly thing: number
      readonly fails: boolean
    }
  | { readonly kind: 'update'; readonly thing: number; readonly state: EntityState }

const thing = fc.nat({ max: 4 })
const deed: fc.Arbitrary<Deed> = fc.oneof(
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
  .array(fc.array(deed, { maxLength: 4 }), { maxLength: 12 })
  .map(play)

function labelOf(thing: number): string {
  return `Dish number ${thing}`
}

function play(turns: readonly (readonly Deed[])[]): readonly Played[] {
  const rows = new Set<string>()
  return turns.map((deeds) => {
    const done = deeds.flatMap((deed) => broughtBy(deed, rows))
    return {
      brought: done,
      updates: deeds.flatMap((deed) =>
        deed.kind === 'update' ? [{ id: `temp_${deed.thing}`, state: deed.state }] : [],
      ),
      text: deeds
        .flatMap(({ kind, thing }) => (kind === 'name' ? [labelOf(thing)] : []))
        .join(', '),
      rows: new Set(rows),
    }
  })
}

function broughtBy(deed: Deed, rows: Set<string>): readonly TurnEntity[] {
  const [id, formerId, label] = [`r-${deed.thing}`, `temp_${deed.thing}`, labelOf(deed.thing)]
  const stands = rows.has(id)
  if (deed.kind === 'update' || deed.kind === 'name') return []
  const succeeded = !deed.fails
  switch (deed.kind) {
    case 'generate':
      // A draft of what is written is made under its real id.
      return [brought({ id: stands ? id : formerId, label, succeeded })]
    case 'write': {
      if (succeeded) rows.add(id)
      const action = stands ? 'update' : 'create'
      return [brought({ id, formerId, label, source: 'db_write', action, succeeded })]
    }
    case 'read':
      return stands ? [brought({ id, label, source: 'db_read' })] : []
    case 'delete':
      if (!stands) return []
      if (succeeded) rows.delete(id)
      return [brought({ id, label, source: 'db_write', action: 'delete', succeeded })]
  }
}
