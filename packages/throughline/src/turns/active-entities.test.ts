import { describe, expect, it } from 'vitest'
import { turnRules } from '../domain/turn-rules-data.ts'
import { activeEntities } from './entities/entity-states.ts'
import { known, waiting } from './entity.test-support.ts'

const shown = (...entities: ReturnType<typeof known>[]) =>
  activeEntities(entities, turnRules).map(({ id }) => id)

describe('entities that later turns may refer to', () => {
  it('S0-018 S0-052: come from a read or a write of a database', () => {
    expect(shown(known(), known({ id: 'r-8', source: 'db_write' }))).toEqual(['r-9', 'r-8'])
  })

  it('S0-052 S0-054 A-002: include no draft, pending or confirmed', () => {
    expect(shown(waiting({ id: 'r-1' }), waiting({ id: 'r-2', state: 'active' }))).toEqual([])
    expect(shown(known({ id: 'r-3', source: 'analyze' }))).toEqual([])
  })

  it('S0-054: include no temporary id, even if a write reports it', () => {
    expect(shown(known({ id: 'temp_1', source: 'db_write' }))).toEqual([])
  })

  it('X0-4: are neither inactive nor pending', () => {
    expect(shown(known({ state: 'inactive' }), known({ id: 'r-8', state: 'pending' }))).toEqual([])
  })

  it('A-007: are the five most recent of each type', () => {
    const many = Array.from({ length: 6 }, (_, index) =>
      known({ id: `r-${index}`, turnLastRef: index + 1 }),
    )
    const task = known({ id: 't-1', type: 'task' })
    expect(shown(...many, task)).toEqual(['r-5', 'r-4', 'r-3', 'r-2', 'r-1', 't-1'])
    expect(activeEntities(many, { entitiesPerType: 1 }).map(({ id }) => id)).toEqual(['r-5'])
    expect(activeEntities(many, { entitiesPerType: 0 })).toEqual([])
  })

  it('A-007: are limited after drafts are excluded', () => {
    const drafts = Array.from({ length: 5 }, (_, index) =>
      waiting({ id: `d-${index}`, state: 'active', turnLastRef: 9 }),
    )
    expect(shown(...drafts, known())).toEqual(['r-9'])
  })

  it('A-007: are ordered by the last mention, then by the last change, then by position', () => {
    const named = known({ id: 'r-1', turnLastRef: 4 })
    const [first, second] = [
      known({ id: 'r-2', turnLastRef: 3 }),
      known({ id: 'r-3', turnLastRef: 3 }),
    ]
    const updated = known({ id: 'r-4', turnLastRef: 3, turnUpdated: 3 })
    expect(shown(first, second, updated, named)).toEqual(['r-1', 'r-4', 'r-2', 'r-3'])
  })
})
