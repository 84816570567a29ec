import { describe, expect, it } from 'vitest'
import type { Entity, EntityState } from '../../domain/entity.ts'
import type { EntityUpdate } from '../../domain/turn-memory.ts'
import { known, waiting } from '../entity.test-support.ts'
import { updateEntities } from './entity-states.ts'

const update = (entity: Entity, state: EntityState) =>
  updateEntities([entity], 3, [{ id: entity.id, state }])
const changed = { since: 3, turnLastRef: 3, turnUpdated: 3 }

describe('an update of the user', () => {
  it('A-005: confirms a pending entity and keeps its source', () => {
    expect(update(waiting(), 'active')).toEqual({
      entities: [waiting({ ...changed, state: 'active' })],
      touched: ['temp_1'],
      ignored: [],
    })
  })

  it('A-005: rejects pending and active entities', () => {
    for (const entity of [waiting(), known()])
      expect(update(entity, 'inactive').entities).toEqual([
        { ...entity, ...changed, state: 'inactive', rejected: true },
      ])
  })

  it('A-005: can revoke a rejection', () => {
    for (const entity of [waiting({ state: 'inactive' }), known({ state: 'inactive' })])
      expect(update(entity, 'active').entities).toEqual([
        { ...entity, ...changed, state: 'active' },
      ])
    expect(update(waiting({ state: 'inactive' }), 'pending').entities).toEqual([waiting(changed)])
  })

  it('A-005: to the same state only touches the entity', () => {
    expect(update(known(), 'active').entities).toEqual([known({ turnLastRef: 3 })])
    expect(update(waiting(), 'pending').entities).toEqual([waiting({ turnLastRef: 3 })])
  })

  it('A-005: can repeat a rejection', () => {
    expect(update(known({ state: 'inactive' }), 'inactive').entities).toEqual([
      known({ ...changed, state: 'inactive', rejected: true }),
    ])
  })

  it('X0-4 A-005: cannot make a confirmed or stored entity pending', () => {
    for (const entity of [known(), known({ state: 'inactive' }), waiting({ state: 'active' })])
      expect(update(entity, 'pending')).toEqual({
        entities: [entity],
        touched: [],
        ignored: [{ id: entity.id, why: 'no-way-back' }],
      })
    const backed = known({ state: 'pending' })
    expect(update(backed, 'pending').ignored).toEqual([])
  })

  it('A-006: is ignored for an unknown entity or state', () => {
    const updates = [
      { id: 'r-1', state: 'active' },
      { id: 'r-9', state: 'deleted' },
      { id: 'r-1', state: 'deleted' },
      { id: 'r-9', state: 'inactive' },
    ] as readonly EntityUpdate[]
    const updated = updateEntities([known()], 3, updates)
    expect(updated.entities).toMatchObject([{ id: 'r-9', state: 'inactive' }])
    expect(updated.ignored).toEqual([
      { id: 'r-1', why: 'unknown-entity' },
      { id: 'r-9', why: 'invalid-state' },
      { id: 'r-1', why: 'invalid-state' },
    ])
  })

  it('A-006: may use a former id, and the last update wins', () => {
    const saved = known({ aliases: ['temp_1'] })
    const updated = updateEntities([known({ id: 'r-1' }), saved], 3, [
      { id: 'temp_1', state: 'inactive' },
      { id: 'r-9', state: 'active' },
    ])
    expect(updated.entities).toEqual([known({ id: 'r-1' }), { ...saved, ...changed }])
    expect(updated.touched).toEqual(['r-9'])
  })
})
