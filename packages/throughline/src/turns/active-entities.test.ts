import { describe, expect, it } from 'vitest'
import { turnRules } from '../domain/turn-memory.ts'
import { activeEntities } from './entities/entity-states.ts'
import { known, waiting } from './entity.test-support.ts'

const shown = (...entities: ReturnType<typeof known>[]) =>
  activeEntities(entities, turnRules).map(({ id }) => id)

describe('what later turns may refer to', () => {
  it('S0-018 S0-052: is what a database has read or written', () => {
    expect(shown(known(), known({ id: 'r-8', source: 'db_write' }))).toEqual(['r-9', 'r-8'])
  })

  it('S0-052 S0-054 A-002: is no draft, whether it waits or was confirmed', () => {
    expect(shown(waiting({ id: 'r-1' }), waiting({ id: 'r-2', state: 'active' }))).toEqual([])
    expect(shown(known({ id: 'r-3', source: 'analyze' }))).toEqual([])
  })

  it('S0-054: has no temporary id, though a database is said to have written it', () => {
    expect(shown(known({ id: 'temp_1', source: 'db_write' }))).toEqual([])
  })

  it('X0-4: is not inactive, and does not wait', () => {
    expect(shown(known({ state: 'inactive' }), known({ id: 'r-8', state: 'pending' }))).toEqual([])
  })

  it('A-007: is five of each type, and the oldest go', () => {
    const many = Array.from({ length: 6 }, (_, index) =>
      known({ id: `r-${index}`, turnLastRef: index + 1 }),
    )
    const task = known({ id: 't-1', type: 'task' })
    expect(shown(...many, task)).toEqual(['r-5', 'r-4', 'r-3', 'r-2', 'r-1', 't-1'])
    expect(activeEntities(many, { entitiesPerType: 1 }).map(({ id }) => id)).toEqual(['r-5'])
    expect(activeEntities(many, { entitiesPerType: 0 })).toEqual([])
  })

  it('A-007: counts only those that may be shown', () => {
    const drafts = Array.from({ length: 5 }, (_, index) =>
      waiting({ id: `d-${index}`, state: 'active', turnLastRef: 9 }),
    )
    expect(shown(...drafts, known())).toEqual(['r-9'])
  })

  it('A-007: goes by the last turn that named it, then by the last that said more, then by order', () => {
    const named = known({ id: 'r-1', turnLastRef: 4 })
    const [first, second] = [
      known({ id: 'r-2', turnLastRef: 3 }),
      known({ id: 'r-3', turnLastRef: 3 }),
    ]
    const told = known({ id: 'r-4', turnLastRef: 3, turnUpdated: 3 })
    expect(shown(first, second, told, named)).toEqual(['r-1', 'r-4', 'r-2', 'r-3'])
  })
})
