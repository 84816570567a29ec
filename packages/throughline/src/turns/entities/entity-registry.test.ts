import { describe, expect, it } from 'vitest'
import { known, reported, waiting } from '../entity.test-support.ts'
import { entityRegistry } from './entity-registry.ts'

const saved = known({ aliases: ['temp_1'] })
const task = known({ id: 't-1', type: 'task', label: 'Shopping' })

describe('the registry', () => {
  it('A-006: adds entities, with defaults for omitted fields', () => {
    const entities = entityRegistry.add([], 1, {
      id: 'r-9',
      type: 'recipe',
      label: 'Rice Bowl',
      source: 'db_read',
    })
    expect(entities).toEqual([known()])
    expect(entityRegistry.add(entities, 2, reported({ id: 'r-9' }))).toEqual([
      known({ turnLastRef: 2 }),
    ])
  })

  it('A-006: gets them by id and by alias', () => {
    expect(entityRegistry.get([saved, task], 't-1')).toBe(task)
    expect(entityRegistry.get([saved, task], 'temp_1')).toBe(saved)
    expect(entityRegistry.get([saved, task], 'temp_2')).toBeNull()
  })

  it('A-006: updates states, and reports ignored updates', () => {
    const rejected = entityRegistry.updateState([saved], 2, { id: 'temp_1', state: 'inactive' })
    expect(rejected.entities).toMatchObject([{ state: 'inactive', since: 2 }])
    const updates = entityRegistry.applyUpdates([saved, waiting({ id: 'temp_2' })], 2, [
      { id: 'temp_2', state: 'active' },
      { id: 'temp_3', state: 'active' },
    ])
    expect(updates.entities.map(({ state }) => state)).toEqual(['active', 'active'])
    expect(updates.ignored).toEqual([{ id: 'temp_3', why: 'unknown-entity' }])
  })

  it('A-006: touches an entity by a name, and never with an earlier turn', () => {
    expect(entityRegistry.touch([saved, task], 4, 'temp_1')).toEqual([
      { ...saved, turnLastRef: 4 },
      task,
    ])
    expect(entityRegistry.touch([{ ...saved, turnLastRef: 4 }], 2, 'r-9')).toEqual([
      { ...saved, turnLastRef: 4 },
    ])
    expect(entityRegistry.touch([saved], 4, 'r-404')).toEqual([saved])
    const gone = known({ state: 'inactive', since: 3 })
    expect(entityRegistry.touch([gone], 4, 'r-9')).toMatchObject([{ state: 'active', since: 4 }])
  })

  it('A-006: touches the entities that texts name', () => {
    expect(entityRegistry.touchMentioned([saved, task], 4, ['the rice bowl']).touched).toEqual([
      'r-9',
    ])
  })

  it('A-006: lists by state and by type', () => {
    const entities = [saved, waiting({ id: 'temp_2' }), task, known({ id: 'x', state: 'inactive' })]
    const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id)
    expect(ids(entityRegistry.active(entities))).toEqual(['r-9', 't-1'])
    expect(ids(entityRegistry.pending(entities))).toEqual(['temp_2'])
    expect(ids(entityRegistry.byType(entities, 'recipe'))).toEqual(['r-9', 'temp_2', 'x'])
    expect(ids(entityRegistry.shown([...entities, waiting({ id: 'y', state: 'active' })]))).toEqual(
      ['r-9', 't-1'],
    )
  })

  it('A-006: counts by type and state', () => {
    const odd = known({ id: 'x', type: '__proto__', state: 'inactive' })
    const counts = entityRegistry.countsByType([saved, waiting({ id: 'temp_2' }), task, odd])
    expect(Object.entries(counts)).toEqual([
      ['recipe', { pending: 1, active: 1, inactive: 0 }],
      ['task', { pending: 0, active: 1, inactive: 0 }],
      ['__proto__', { pending: 0, active: 0, inactive: 1 }],
    ])
  })

  it('A-006: has the most recent of each type, five at most, drafts too', () => {
    const many = Array.from({ length: 6 }, (_, index) =>
      waiting({ id: `d-${index}`, turnLastRef: index }),
    )
    const gone = known({ id: 'x', state: 'inactive', turnLastRef: 9 })
    const recent = entityRegistry.recentByType([...many, gone, task])
    expect(recent['recipe']?.map(({ id }) => id)).toEqual(['d-5', 'd-4', 'd-3', 'd-2', 'd-1'])
    expect(recent['task']).toEqual([task])
    expect(entityRegistry.recentByType(many, { entitiesPerType: 1 })['recipe']).toHaveLength(1)
    expect(
      entityRegistry.shown([task, { ...task, id: 't-2' }], { entitiesPerType: 1 }),
    ).toHaveLength(1)
  })

  it('A-006 A-003: merges a turn, and collects entities that no turn names', () => {
    const merged = entityRegistry.mergeFromTurn([], 1, [reported()])
    expect(merged).toMatchObject({ entities: [waiting()], generated: 1 })
    const confirmed = entityRegistry.mergeFromTurn(
      [],
      1,
      [reported()],
      [{ id: 'temp_1', state: 'active' }],
    )
    expect(confirmed.entities[0]?.state).toBe('active')
    expect(entityRegistry.collect(merged.entities, 4).deactivated).toEqual(['temp_1'])
    const rules = { pendingTurns: 4, activeTurns: 9, inactiveTurns: 9 }
    expect(entityRegistry.collect(merged.entities, 4, rules).deactivated).toEqual([])
  })

  it('A-006: reports problems', () => {
    expect(entityRegistry.problems([saved, saved])).toHaveLength(2)
    expect(entityRegistry.problems([saved, task])).toEqual([])
  })

  it('does not change its arguments', () => {
    const frozen = deepFrozen([saved, waiting({ id: 'temp_2' })])
    entityRegistry.mergeFromTurn(frozen, 2, [reported({ id: 'r-1', formerId: 'temp_1' })])
    entityRegistry.touch(frozen, 2, 'r-9')
    entityRegistry.collect(frozen, 9)
    entityRegistry.shown(frozen)
    expect(frozen).toEqual([saved, waiting({ id: 'temp_2' })])
  })
})

describe('the registry as JSON', () => {
  const whole = [
    known({ aliases: ['temp_1'], subdomain: 'recipes', data: { a: [1, null, true, { b: 'c' }] } }),
    task,
  ]

  it('A-006: is read back as an equal copy', () => {
    const json = entityRegistry.toJson(whole)
    expect(json).toEqual(whole)
    expect(json).not.toBe(whole)
    expect((json as readonly unknown[])[0]).not.toBe(whole[0])
    const back = entityRegistry.fromJson(JSON.parse(JSON.stringify(json)))
    expect(back).toEqual(whole)
    expect(entityRegistry.fromJson(whole)[0]?.data).not.toBe(whole[0]?.data)
    expect(entityRegistry.fromJson([])).toEqual([])
  })

  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])

  it.each([
    ['no list', { 0: task }, 'entities must be an array, got an object'],
    ['no entity', [null], 'entities[0] must be an object, got null'],
    ['a list for an entity', [[]], 'entities[0] must be an object, got an array'],
    ['a hole', [task, undefined], 'entities[1] must be an object, got undefined'],
    ['another field', [{ ...task, lable: '' }], 'entities[0] has no field "lable"'],
    ['no id', [{ ...task, id: 7 }], 'entities[0].id must be a string, got 7'],
    ['no type', [{ ...task, type: null }], 'entities[0].type must be a string, got null'],
    [
      'no label',
      [{ ...task, label: undefined }],
      'entities[0].label must be a string, got undefined',
    ],
    ['no aliases', [{ ...task, aliases: 'x' }], 'entities[0].aliases must be an array, got "x"'],
    ['no alias', [{ ...task, aliases: [1] }], 'entities[0].aliases[0] must be a string, got 1'],
    [
      'another state',
      [{ ...task, state: 'gone' }],
      'entities[0].state must be pending, active, inactive, got "gone"',
    ],
    [
      'another source',
      [{ ...task, source: 'web' }],
      'entities[0].source must be db_read, db_write, generate, analyze, got "web"',
    ],
    [
      'no turn',
      [{ ...task, since: -1 }],
      'entities[0].since must be a whole number from 0, got -1',
    ],
    [
      'half a turn',
      [{ ...task, turnLastRef: 1.5 }],
      'entities[0].turnLastRef must be a whole number from 0, got 1.5',
    ],
    [
      'no turn that it was made in',
      [{ ...task, turnCreated: '1' }],
      'entities[0].turnCreated must be a whole number from 0, got "1"',
    ],
    [
      'no turn that said more',
      [{ ...task, turnUpdated: null }],
      'entities[0].turnUpdated must be a whole number from 0, got null',
    ],
    ['no subdomain', [{ ...task, subdomain: 1 }], 'entities[0].subdomain must be a string, got 1'],
    ['no data', [{ ...task, data: undefined }], 'entities[0].data must be JSON, got undefined'],
    [
      'no JSON',
      [{ ...task, data: { a: [Number.NaN] } }],
      'entities[0].data.a[0] must be JSON, got NaN',
    ],
    ['two of an id', [task, task], 'entities[1].id is the same as entities[0].id'],
    ['depth', [{ ...task, data: deep(201) }], 'is nested more than 200 deep'],
  ])('A-006: refuses %s, and names the place', (_, value, message) => {
    expect(() => entityRegistry.fromJson(value)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(message),
      }),
    )
  })

  it('A-006: accepts the deepest data that JSON can write', () => {
    const fields = (levels: number): unknown => (levels === 0 ? 1 : { a: fields(levels - 1) })
    for (const data of [deep(200), fields(200)])
      expect(entityRegistry.fromJson([{ ...task, data }])[0]?.data).toEqual(data)
  })

  it('A-006: accepts turn 0', () => {
    const first = { turnCreated: 0, turnLastRef: 0, turnUpdated: 0, since: 0 }
    expect(entityRegistry.fromJson([{ ...task, ...first }])).toEqual([{ ...task, ...first }])
  })
})

function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) deepFrozen(inner)
  return Object.freeze(value)
}
