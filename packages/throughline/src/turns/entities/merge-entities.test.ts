import { describe, expect, it } from 'vitest'
import type { Entity } from '../../domain/entity.ts'
import type { TurnEntity } from '../../domain/turn-memory.ts'
import { known, reported, waiting } from '../entity.test-support.ts'
import { merge, read, save, write } from '../merge.test-support.ts'

describe('an entity that a turn reports', () => {
  it('S0-005 S0-020 S0-051 A-001: is tracked with all fields and its turns', () => {
    const { entities, touched } = merge(
      [],
      7,
      read({ subdomain: 'recipes' }),
      reported({ data: { servings: 2 } }),
    )
    const turns = { turnCreated: 7, turnLastRef: 7, turnUpdated: 7, since: 7 }
    expect(entities).toEqual([
      known({ ...turns, subdomain: 'recipes' }),
      waiting({ ...turns, data: { servings: 2 } }),
    ])
    expect(touched).toEqual(['r-9', 'temp_1'])
  })

  it.each([
    ['db_read', 'active'],
    ['db_write', 'active'],
    ['generate', 'pending'],
    ['analyze', 'pending'],
  ] as const)('S0-049 S0-050 A-002: by %s it is %s', (source, state) => {
    expect(merge([], 1, reported({ source })).entities).toMatchObject([{ source, state }])
  })

  it('S0-049 A-005: gets the reported state', () => {
    expect(merge([], 1, reported({ state: 'active' })).entities).toMatchObject([
      { state: 'active', source: 'generate' },
    ])
    expect(merge([], 1, read({ state: 'pending' })).entities).toMatchObject([{ state: 'pending' }])
  })

  it('S0-046 S0-047: may have any id and any type', () => {
    const id = '7f1c2a44-0b7e-4a55-9f1e-3a6f0d9f2b11'
    const { entities } = merge([], 1, read({ id, type: '__proto__' }), read({ id: '__proto__' }))
    expect(entities.map(({ id, type }) => [id, type])).toEqual([
      [id, '__proto__'],
      ['__proto__', 'recipe'],
    ])
  })

  it('is ignored and reported without an id', () => {
    const { entities, touched, ignored } = merge([], 1, read({ id: ' ' }), read())
    expect(entities.map(({ id }) => id)).toEqual(['r-9'])
    expect(touched).toEqual(['r-9'])
    expect(ignored).toEqual([{ id: ' ', why: 'no-id' }])
  })

  it('is one entity if it is reported twice', () => {
    expect(merge([], 1, read(), read()).entities).toEqual([known()])
    expect(merge([], 1, reported(), reported()).entities).toEqual([waiting()])
  })
})

describe('a known entity', () => {
  it('changes only if a field differs', () => {
    const entity = known({ subdomain: 'recipes', data: { a: 1, b: [2] } })
    const same = { subdomain: 'recipes', data: { b: [2], a: 1 } }
    const after = (given: Partial<TurnEntity>) =>
      merge([entity], 4, read({ ...same, ...given })).entities
    expect(after({})).toEqual([{ ...entity, turnLastRef: 4 }])
    const more = { ...entity, turnLastRef: 4, turnUpdated: 4 }
    expect(after({ label: 'Rice Bowls' })).toEqual([{ ...more, label: 'Rice Bowls' }])
    expect(after({ type: 'Recipe' })).toEqual([{ ...more, type: 'Recipe' }])
    expect(after({ subdomain: 'menu' })).toEqual([{ ...more, subdomain: 'menu' }])
    expect(after({ data: { a: 1, b: [3] } })).toEqual([{ ...more, data: { a: 1, b: [3] } }])
    expect(after({ source: 'db_write' })).toEqual([{ ...more, source: 'db_write' }])
    expect(after({ formerId: 'temp_1' })).toEqual([{ ...more, aliases: ['temp_1'] }])
  })

  it('is another entity under another type, because each table has its own ids', () => {
    const task = read({ type: 'task', label: 'Shop' })
    const both = merge([known()], 4, task)
    expect(both.entities.map(({ id, type }) => [type, id])).toEqual([
      ['recipe', 'r-9'],
      ['task', 'r-9'],
    ])
    const deleted = merge(both.entities, 5, { ...task, source: 'db_write', action: 'delete' })
    expect(deleted.entities.map(({ type }) => type)).toEqual(['recipe'])
    expect(deleted.deleted).toEqual(['r-9'])
    const rejected = merge(both.entities, 5, { id: 'r-9', type: 'task', state: 'inactive' })
    expect(rejected.entities.map(({ state }) => state)).toEqual(['active', 'inactive'])
    expect(merge(both.entities, 5, { id: 'r-9', state: 'inactive' }).ignored).toEqual([
      { id: 'r-9', why: 'several-types' },
    ])
  })

  it('A-001: keeps fields that are not reported again', () => {
    const entity = known({ subdomain: 'recipes', data: { a: 1 } })
    const { entities } = merge([entity], 4, read({ type: '', label: ' ', formerId: ' ' }))
    expect(entities).toEqual([{ ...entity, turnLastRef: 4 }])
  })

  it('keeps the source of a write after a later read', () => {
    expect(merge([known({ source: 'db_write' })], 4, read()).entities).toEqual([
      known({ source: 'db_write', turnLastRef: 4 }),
    ])
    expect(
      merge([waiting({ source: 'generate' })], 4, reported({ source: 'analyze' })).entities,
    ).toMatchObject([{ source: 'generate' }])
  })

  it('A-005: becomes active again when it is reported', () => {
    const gone = { state: 'inactive', since: 3 } as const
    const back = { turnLastRef: 4, since: 4 }
    expect(merge([known(gone)], 4, read()).entities).toEqual([known(back)])
    expect(merge([known(gone)], 4, reported({ id: 'r-9' })).entities).toEqual([known(back)])
    expect(merge([waiting(gone)], 4, reported()).entities).toEqual([waiting(back)])
  })

  it('S0-052: is not changed by a draft of it', () => {
    const entity = known({ data: { a: 1 }, subdomain: 'recipes' })
    const draft = reported({ id: 'r-9', label: 'Soup', type: 'Recipe', data: 2, subdomain: 'y' })
    expect(merge([entity], 4, draft).entities).toEqual([{ ...entity, turnLastRef: 4 }])
  })

  it('X0-3: waits again after a repeated draft, but not after a read', () => {
    expect(merge([waiting()], 3, reported({ label: 'Fried Rice' })).entities).toEqual([
      waiting({ label: 'Fried Rice', turnLastRef: 3, turnUpdated: 3, since: 3 }),
    ])
    expect(merge([waiting({ state: 'active' })], 3, reported()).entities).toEqual([
      waiting({ state: 'active', turnLastRef: 3 }),
    ])
    const read3 = read({ id: 'temp_1', state: 'pending' })
    expect(merge([waiting()], 3, read3).entities[0]?.since).toBe(1)
  })

  it('A-005: is confirmed if it is a draft that is reported as active', () => {
    expect(merge([waiting()], 3, reported({ state: 'active' })).entities).toEqual([
      waiting({ state: 'active', turnLastRef: 3, turnUpdated: 3, since: 3 }),
    ])
  })
})

describe('a draft that is written', () => {
  it('X0-5: is the same entity under its real id, and the temporary one finds it', () => {
    const draft = waiting({ aliases: ['temp_0'], data: { servings: 2 }, subdomain: 'recipes' })
    const merged = merge([draft, known({ id: 'r-1' })], 4, save())
    expect(merged.entities).toEqual([
      known({
        aliases: ['temp_0', 'temp_1'],
        source: 'db_write',
        turnLastRef: 4,
        turnUpdated: 4,
        since: 4,
        data: { servings: 2 },
        subdomain: 'recipes',
      }),
      known({ id: 'r-1' }),
    ])
    expect(merged).toMatchObject({ promoted: ['r-9'], created: ['r-9'], saved: 1, generated: 0 })
    expect(merged.touched).toEqual(['r-9'])
  })

  it('X0-5: is active under its own id if that is a real one', () => {
    const merged = merge([waiting({ id: 'r-9' })], 4, write())
    expect(merged.entities).toEqual([
      known({ source: 'db_write', turnLastRef: 4, turnUpdated: 4, since: 4 }),
    ])
    expect(merged).toMatchObject({ promoted: ['r-9'], created: ['r-9'], saved: 1 })
  })

  it('X0-5: is promoted by a read', () => {
    const merged = merge([waiting({ id: 'r-9' })], 4, read())
    expect(merged.entities).toMatchObject([{ state: 'active', source: 'db_read' }])
    expect(merged).toMatchObject({ promoted: ['r-9'], created: [], saved: 0 })
  })

  it('X0-5: may be generated and written in one turn, in any order', () => {
    const [one, other] = [merge([], 1, reported(), save()), merge([], 1, save(), reported())]
    expect(one.entities).toEqual([known({ source: 'db_write', aliases: ['temp_1'] })])
    expect(other).toEqual(one)
    expect(one).toMatchObject({ promoted: ['r-9'], created: ['r-9'], generated: 1, saved: 1 })
  })

  it('X0-5: gets an unknown temporary id as its alias', () => {
    const merged = merge([], 4, save())
    expect(merged.entities).toMatchObject([{ id: 'r-9', aliases: ['temp_1'], turnCreated: 4 }])
    expect(merged).toMatchObject({ promoted: [], created: ['r-9'], saved: 0 })
  })

  it('X0-5: is joined with the real entity if both are known', () => {
    const draft = waiting({ aliases: ['temp_0'], turnCreated: 2, turnLastRef: 3, data: 1 })
    const real = known({
      turnCreated: 3,
      turnLastRef: 3,
      turnUpdated: 3,
      since: 3,
      aliases: ['x-1'],
    })
    const merged = merge([known({ id: 'r-1' }), draft, real], 4, save({ label: '' }))
    expect(merged.entities).toEqual([
      known({ id: 'r-1' }),
      known({
        aliases: ['x-1', 'temp_0', 'temp_1'],
        source: 'db_write',
        turnCreated: 2,
        turnLastRef: 4,
        turnUpdated: 4,
        since: 3,
        data: 1,
      }),
    ])
    expect(merged).toMatchObject({ promoted: ['r-9'], saved: 1 })
    const later = merge([real, draft], 4, save())
    expect(later.entities.map(({ id }) => id)).toEqual(['r-9'])
  })

  it('X0-5: may have several temporary ids', () => {
    const second = merge([waiting()], 2, reported({ id: 'temp_2', formerId: 'temp_1' }))
    expect(second.entities).toMatchObject([
      { id: 'temp_2', aliases: ['temp_1'], state: 'pending', turnCreated: 1, since: 2 },
    ])
    expect(second).toMatchObject({ promoted: [], generated: 1, saved: 0 })
    const real = merge(second.entities, 3, save({ formerId: 'temp_2' }))
    expect(real.entities).toMatchObject([{ id: 'r-9', aliases: ['temp_1', 'temp_2'] }])
    expect(merge(second.entities, 3, save()).entities).toMatchObject([
      { id: 'r-9', aliases: ['temp_1', 'temp_2'] },
    ])
    // Reported again under its first name, it is the same entity.
    expect(merge(real.entities, 4, save()).entities).toMatchObject([{ id: 'r-9', turnUpdated: 3 }])
  })

  it('X0-5: keeps the newest aliases', () => {
    let entities: readonly Entity[] = [waiting()]
    for (let index = 2; index <= 40; index += 1)
      entities = merge(
        entities,
        1,
        reported({ id: `temp_${index}`, formerId: `temp_${index - 1}` }),
      ).entities
    expect(entities).toHaveLength(1)
    expect(entities[0]?.aliases).toEqual(
      Array.from({ length: 32 }, (_, index) => `temp_${index + 8}`),
    )
  })

  it('S0-054: keeps its real id after reports with a temporary one', () => {
    const saved = known({ source: 'db_write', aliases: ['temp_1'] })
    const asDraft = reported({ id: 'temp_7', formerId: 'r-9' })
    expect(merge([saved], 4, asDraft).entities).toMatchObject([
      { id: 'r-9', aliases: ['temp_1', 'temp_7'], source: 'db_write', state: 'active' },
    ])
    const update = write({ id: 'temp_1', action: 'update', label: 'Fried Rice' })
    expect(merge([saved], 4, update).entities).toMatchObject([
      { id: 'r-9', aliases: ['temp_1'], label: 'Fried Rice', turnUpdated: 4 },
    ])
  })
})

describe('a write that failed', () => {
  it('X0-5: changes nothing, and counts as a mention', () => {
    const failed = save({ succeeded: false, label: 'Soup', data: 1 })
    const merged = merge([waiting()], 3, failed)
    expect(merged.entities).toEqual([waiting({ turnLastRef: 3 })])
    expect(merged).toMatchObject({ created: [], promoted: [], saved: 0, touched: ['temp_1'] })
    expect(merge([known()], 3, write({ succeeded: false, label: 'Soup' })).entities).toEqual([
      known({ turnLastRef: 3 }),
    ])
  })

  it('X0-5: adds no unknown entity', () => {
    const merged = merge([], 3, write({ succeeded: false }), reported({ succeeded: false }))
    expect(merged).toMatchObject({ entities: [], created: [], generated: 0, touched: [] })
  })

  it('X0-5: deletes nothing, and replaces nothing', () => {
    const entities = [known(), known({ id: 'r-1' })]
    const failed = write({ action: 'delete', succeeded: false, replaces: 'r-1' })
    expect(merge(entities, 3, failed)).toMatchObject({
      entities: [known({ turnLastRef: 3 }), known({ id: 'r-1' })],
      deleted: [],
    })
  })

  it('A-005: restores an inactive entity, as every mention does', () => {
    const gone = known({ state: 'inactive', since: 2 })
    expect(merge([gone], 3, write({ succeeded: false })).entities).toMatchObject([
      { state: 'active', since: 3 },
    ])
  })
})

describe('a name that is used again', () => {
  it('X0-5: may belong to another entity after the draft was saved', () => {
    const merged = merge([waiting()], 4, save(), reported({ label: 'Noodle Soup' }))
    expect(merged.entities.map(({ id }) => id)).toEqual(['r-9', 'temp_1'])
    expect(merged).toMatchObject({ promoted: ['r-9'], created: ['r-9'], saved: 1, generated: 1 })
  })

  const saved = known({ source: 'db_write', aliases: ['temp_1'] })

  it('X0-5: is another entity if type or label differ', () => {
    const { entities } = merge([saved], 4, reported({ label: 'Noodle Soup' }))
    expect(entities).toEqual([
      { ...saved, aliases: [] },
      waiting({
        label: 'Noodle Soup',
        turnCreated: 4,
        turnLastRef: 4,
        turnUpdated: 4,
        since: 4,
      }),
    ])
    const next = merge(entities, 5, save({ id: 'r-10', label: 'Noodle Soup' }))
    expect(next.entities).toMatchObject([
      { id: 'r-9', label: 'Rice Bowl', aliases: [] },
      { id: 'r-10', label: 'Noodle Soup', aliases: ['temp_1'] },
    ])
    expect(merge([saved], 4, reported({ type: 'task' })).entities).toHaveLength(2)
    expect(
      merge([saved], 4, write({ id: 'temp_1', action: 'create', label: 'Soup' })).entities,
    ).toMatchObject([
      { id: 'r-9', aliases: [] },
      { id: 'temp_1', source: 'db_write' },
    ])
  })

  it('X0-5: is the same entity if type and label are the same', () => {
    expect(merge([saved], 4, reported({ label: 'RICE BOWL' })).entities).toEqual([
      { ...saved, turnLastRef: 4 },
    ])
  })

  it('X0-5: never joins two rows of a database', () => {
    const merged = merge([saved], 4, save({ id: 'r-10', label: 'Noodle Soup' }))
    expect(merged.entities).toMatchObject([
      { id: 'r-9', aliases: [] },
      { id: 'r-10', aliases: ['temp_1'] },
    ])
    const renamed = merge([saved], 4, write({ id: 'r-10', formerId: 'r-9' }))
    expect(renamed.entities).toMatchObject([{ id: 'r-10', aliases: ['temp_1', 'r-9'] }])
    // The database returned the old id, so the row exists again.
    expect(merge(renamed.entities, 5, read()).entities).toMatchObject([
      { id: 'r-10', aliases: ['temp_1'] },
      { id: 'r-9' },
    ])
  })

  it('is no alias if another entity has it as its id', () => {
    const draft = reported({ id: 'temp_7', label: 'Noodle Soup', formerId: 'r-9' })
    const merged = merge([known()], 4, draft)
    expect(merged.entities).toMatchObject([
      { id: 'r-9', turnLastRef: 1 },
      { id: 'temp_7', aliases: [], state: 'pending' },
    ])
    expect(merge(merged.entities, 5, draft).entities[1]?.turnUpdated).toBe(4)
  })
})

describe('the tally of a turn', () => {
  it('has each created, changed and deleted row once', () => {
    const merged = merge(
      [known({ id: 'r-1' }), known({ id: 'r-2' }), waiting({ id: 'r-7' })],
      3,
      write({ id: 'r-1' }),
      write({ id: 'r-2', action: 'update' }),
      write({ id: 'r-2', action: 'update' }),
      write({ id: 'r-3' }),
      write({ id: 'r-4', action: 'create' }),
      write({ id: 'r-4', action: 'update' }),
      write({ id: 'r-5', action: 'update' }),
      write({ id: 'r-6', action: 'delete' }),
      write({ id: 'r-7' }),
      read({ id: 'r-8' }),
    )
    expect(merged).toMatchObject({
      created: ['r-3', 'r-4', 'r-7'],
      updated: ['r-1', 'r-2', 'r-5'],
      deleted: ['r-6'],
      promoted: ['r-7'],
    })
  })

  it('counts each generated entity once, and no analysed one', () => {
    const merged = merge(
      [],
      3,
      reported(),
      reported(),
      reported({ id: 'temp_2' }),
      reported({ id: 'x-1', source: 'analyze' }),
    )
    expect(merged).toMatchObject({ generated: 2, saved: 0, created: [] })
  })

  it('counts a written draft of a known row as saved, not as promoted', () => {
    const merged = merge([known()], 3, reported({ id: 'r-9' }), write({ action: 'update' }))
    expect(merged).toMatchObject({ generated: 1, saved: 1, promoted: [], updated: ['r-9'] })
  })
})

describe('an update of the user', () => {
  it('A-003 A-005: is applied last in its turn', () => {
    expect(merge([known()], 3, read(), { id: 'r-9', state: 'inactive' }).entities).toEqual([
      known({ state: 'inactive', since: 3, turnLastRef: 3, turnUpdated: 3, rejected: true }),
    ])
    const quick = merge([], 3, reported(), { id: 'temp_1', state: 'active' })
    expect(quick.entities).toMatchObject([{ state: 'active', source: 'generate' }])
  })

  it('A-005: confirms a draft by its temporary id in the turn that writes it', () => {
    const merged = merge([waiting()], 3, save(), { id: 'temp_1', state: 'active' })
    expect(merged.entities).toMatchObject([{ id: 'r-9', state: 'active' }])
    expect(merged.touched).toEqual(['r-9'])
  })

  it('A-006: is reported if it cannot be applied', () => {
    expect(merge([], 3, { id: 'r-1', state: 'active' }).ignored).toEqual([
      { id: 'r-1', why: 'unknown-entity' },
    ])
  })

  it('touches its entity', () => {
    expect(merge([known()], 3, { id: 'r-9', state: 'inactive' }).touched).toEqual(['r-9'])
  })
})
