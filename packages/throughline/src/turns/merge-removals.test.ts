import { describe, expect, it } from 'vitest'
import type { TurnEntity } from '../domain/turn-memory.ts'
import { known, reported, waiting } from './entity.test-support.ts'
import { merge, read, write } from './merge.test-support.ts'

describe('a deletion', () => {
  const erase = (given: Partial<TurnEntity> = {}) => write({ action: 'delete', ...given })

  it('X0-5: removes an entity by id or former id', () => {
    const saved = known({ aliases: ['temp_1'] })
    const rest = known({ id: 'r-1' })
    for (const deletion of [erase(), erase({ id: 'temp_1' }), erase({ formerId: 'temp_1' })])
      expect(merge([saved, rest], 3, deletion)).toMatchObject({
        entities: [rest],
        deleted: ['r-9'],
        created: [],
        updated: [],
        touched: [],
      })
    expect(merge([waiting(), rest], 3, erase({ formerId: 'temp_1' })).entities).toEqual([rest])
  })

  it('X0-5: of an unknown entity is counted', () => {
    expect(merge([], 3, erase())).toMatchObject({ entities: [], deleted: ['r-9'] })
  })

  it('X0-5: wins over reads and updates of the same turn, in any order', () => {
    for (const other of [read(), write({ action: 'update' }), write()]) {
      expect(merge([known()], 3, other, erase()).entities).toEqual([])
      expect(merge([known()], 3, erase(), other).entities).toEqual([])
    }
  })

  it('X0-5: ends when the entity is created again', () => {
    const created = write({ action: 'create', label: 'Soup' })
    const merged = merge([known()], 3, erase(), created, read({ label: 'Soup' }))
    expect(merged.entities).toMatchObject([{ id: 'r-9', label: 'Soup', turnCreated: 3 }])
    expect(merged).toMatchObject({ created: ['r-9'], deleted: ['r-9'] })
    expect(merge([known()], 3, erase(), reported({ id: 'r-9' })).entities).toMatchObject([
      { id: 'r-9', state: 'pending', turnCreated: 3 },
    ])
  })

  it('X0-5: keeps another row that once had the name', () => {
    const renamed = known({ id: 'r-10', aliases: ['r-9'] })
    expect(merge([renamed], 3, erase()).entities).toEqual([renamed])
  })

  it('S0-054: of a draft deletes no stored entity', () => {
    const discard = reported({ action: 'delete' })
    expect(merge([waiting()], 3, discard)).toMatchObject({
      entities: [],
      deleted: [],
      generated: 0,
    })
    expect(merge([known()], 3, reported({ id: 'r-9', action: 'delete' })).entities).toEqual([
      known(),
    ])
  })

  it('removes the aliases', () => {
    const deleted = merge([known({ aliases: ['temp_1'] })], 3, erase())
    expect(merge(deleted.entities, 4, reported()).entities).toMatchObject([
      { id: 'temp_1', state: 'pending', turnCreated: 4 },
    ])
  })
})

describe('a replacement', () => {
  it('A-005: makes the replaced entity inactive', () => {
    const merged = merge([known({ id: 'r-1' })], 3, write({ replaces: 'r-1' }))
    expect(merged.entities).toMatchObject([
      { id: 'r-1', state: 'inactive', since: 3 },
      { id: 'r-9', state: 'active' },
    ])
    expect(
      merge([waiting()], 3, reported({ id: 'temp_2', replaces: 'temp_1' })).entities,
    ).toMatchObject([{ id: 'temp_1', state: 'inactive' }, { id: 'temp_2' }])
  })

  it('A-005: also replaces an entity of the same turn, in any order', () => {
    const [old, next] = [read({ id: 'r-1' }), write({ replaces: 'r-1' })]
    for (const pair of [
      [old, next],
      [next, old],
    ])
      expect(merge([], 3, ...pair).entities.find(({ id }) => id === 'r-1')?.state).toBe('inactive')
  })

  it('A-005: refers to id or former id; itself and unknown ids have no effect', () => {
    const saved = known({ id: 'r-1', aliases: ['temp_1'] })
    expect(merge([saved], 3, write({ replaces: 'temp_1' })).entities[0]?.state).toBe('inactive')
    const self = merge([known()], 3, write({ replaces: 'r-9' }), read({ replaces: 'r-404' }))
    expect(self.entities).toMatchObject([{ id: 'r-9', state: 'active' }])
    expect(
      merge([known({ aliases: ['temp_1'] })], 3, write({ replaces: 'temp_1' })).entities,
    ).toMatchObject([{ state: 'active' }])
  })

  it('S0-052: by a draft does not change a stored entity', () => {
    expect(merge([known()], 3, reported({ replaces: 'r-9' })).entities[0]?.state).toBe('active')
  })

  it('by a deletion has no effect', () => {
    const deletion = write({ action: 'delete', replaces: 'r-1' })
    expect(merge([known({ id: 'r-1' })], 3, deletion).entities[0]?.state).toBe('active')
  })

  it('A-005: of an inactive entity renews `since`', () => {
    const gone = known({ id: 'r-1', state: 'inactive', since: 2 })
    expect(merge([gone], 3, write({ replaces: 'r-1' })).entities[0]?.since).toBe(3)
  })
})
