import { describe, expect, it } from 'vitest'
import { turnRules } from '../../domain/turn-rules-data.ts'
import { known, waiting } from '../entity.test-support.ts'
import { collectEntities } from './entity-states.ts'

const collect = (entity: ReturnType<typeof known>, turn: number) => {
  const { entities, deactivated, removed } = collectEntities([entity], turn, turnRules)
  return { state: entities[0]?.state ?? 'gone', since: entities[0]?.since, deactivated, removed }
}

describe('a draft that is not confirmed', () => {
  it('S0-066 X0-3 A-004: becomes inactive in the third turn that does not name it', () => {
    expect(collect(waiting(), 3)).toMatchObject({ state: 'pending', since: 1, deactivated: [] })
    expect(collect(waiting(), 4)).toMatchObject({
      state: 'inactive',
      since: 4,
      deactivated: ['temp_1'],
      removed: [],
    })
  })

  it('S0-053 X0-3 A-004: stays pending while turns name it', () => {
    expect(collect(waiting({ turnLastRef: 4 }), 6).state).toBe('pending')
    expect(collect(waiting({ turnLastRef: 4 }), 7).state).toBe('inactive')
  })

  it('X0-3: waits from the turn in which it became pending', () => {
    expect(collect(waiting({ since: 2, turnLastRef: 2 }), 4).state).toBe('pending')
  })
})

describe('an active entity', () => {
  it('A-004 X0-3: becomes inactive after five turns without a mention', () => {
    expect(collect(known(), 5)).toMatchObject({ state: 'active', since: 1, deactivated: [] })
    expect(collect(known(), 6)).toMatchObject({
      state: 'inactive',
      since: 6,
      deactivated: ['r-9'],
      removed: [],
    })
  })

  it('A-004: counts from the last turn that named it', () => {
    expect(collect(known({ turnLastRef: 3 }), 7).state).toBe('active')
    expect(collect(known({ turnLastRef: 3 }), 8).state).toBe('inactive')
  })

  it('A-004: follows the same rule if it was generated and confirmed', () => {
    const confirmed = waiting({ state: 'active' })
    expect(collect(confirmed, 5).state).toBe('active')
    expect(collect(confirmed, 6).state).toBe('inactive')
  })
})

describe('an inactive entity', () => {
  const marked = known({ state: 'inactive', since: 6 })

  it('A-004 X0-3: is removed two turns later', () => {
    expect(collect(marked, 7)).toMatchObject({ state: 'inactive', since: 6, removed: [] })
    expect(collect(marked, 8)).toMatchObject({ state: 'gone', deactivated: [], removed: ['r-9'] })
  })

  it('A-004: stays for two turns after the last mention', () => {
    const named = { ...marked, turnLastRef: 7 }
    expect(collect(named, 8).state).toBe('inactive')
    expect(collect(named, 9).state).toBe('gone')
  })

  it('X0-3: is never removed in the turn that made it inactive, under any rules', () => {
    const rules = { pendingTurns: 0, activeTurns: 0, inactiveTurns: 0 }
    const marks = collectEntities([waiting(), known()], 9, rules)
    expect(marks).toMatchObject({ deactivated: ['temp_1', 'r-9'], removed: [] })
    expect(marks.entities.map(({ state, since }) => [state, since])).toEqual([
      ['inactive', 9],
      ['inactive', 9],
    ])
    expect(collectEntities(marks.entities, 9, rules)).toMatchObject({
      entities: [],
      removed: ['temp_1', 'r-9'],
    })
  })
})

describe('a collection', () => {
  it('S0-006: handles each entity once, and keeps the others in order', () => {
    const fresh = known({ id: 'r-2', turnLastRef: 9 })
    const entities = [known({ id: 'r-1' }), fresh, known({ id: 'r-3', state: 'inactive' })]
    const once = collectEntities(entities, 9, turnRules)
    expect(once.entities.map(({ id }) => id)).toEqual(['r-1', 'r-2'])
    expect(once.entities[1]).toBe(fresh)
    expect(collectEntities(once.entities, 9, turnRules)).toEqual({
      entities: once.entities,
      deactivated: [],
      removed: [],
    })
  })

  it('follows the given rules', () => {
    const rules = { pendingTurns: 1, activeTurns: 2, inactiveTurns: 3 }
    const at = (entity: ReturnType<typeof known>, turn: number) =>
      collectEntities([entity], turn, rules).entities[0]?.state ?? 'gone'
    expect([at(waiting(), 1), at(waiting(), 2)]).toEqual(['pending', 'inactive'])
    expect([at(known(), 2), at(known(), 3)]).toEqual(['active', 'inactive'])
    const marked = known({ state: 'inactive' })
    expect([at(marked, 3), at(marked, 4)]).toEqual(['inactive', 'gone'])
  })
})
