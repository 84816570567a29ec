import { describe, expect, it } from 'vitest'
import type { TurnEntity } from '../domain/turn-memory.ts'
import { brought, known, waiting } from './entity.test-support.ts'
import { merge, read, write } from './merge.test-support.ts'

describe('a deletion', () => {
  const erase = (given: Partial<TurnEntity> = {}) => write({ action: 'delete', ...given })

  it('X0-5: removes, by any name', () => {
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

  it('X0-5: is told where nothing is known', () => {
    expect(merge([], 3, erase())).toMatchObject({ entities: [], deleted: ['r-9'] })
  })

  it('X0-5: stands against reads and changes of the turn, in any order', () => {
    for (const other of [read(), write({ action: 'update' }), write()]) {
      expect(merge([known()], 3, other, erase()).entities).toEqual([])
      expect(merge([known()], 3, erase(), other).entities).toEqual([])
    }
  })

  it('X0-5: ends where it is made anew', () => {
    const anew = write({ action: 'create', label: 'Soup' })
    const merged = merge([known()], 3, erase(), anew, read({ label: 'Soup' }))
    expect(merged.entities).toMatchObject([{ id: 'r-9', label: 'Soup', turnCreated: 3 }])
    expect(merged).toMatchObject({ created: ['r-9'], deleted: ['r-9'] })
    expect(merge([known()], 3, erase(), brought({ id: 'r-9' })).entities).toMatchObject([
      { id: 'r-9', state: 'pending', turnCreated: 3 },
    ])
  })

  it('X0-5: of one row leaves another, that had its name once', () => {
    const renamed = known({ id: 'r-10', aliases: ['r-9'] })
    expect(merge([renamed], 3, erase()).entities).toEqual([renamed])
  })

  it('S0-054: of a draft is no deletion in a database', () => {
    const discard = brought({ action: 'delete' })
    expect(merge([waiting()], 3, discard)).toMatchObject({
      entities: [],
      deleted: [],
      generated: 0,
    })
    expect(merge([known()], 3, brought({ id: 'r-9', action: 'delete' })).entities).toEqual([
      known(),
    ])
  })

  it('takes the aliases with it', () => {
    const deleted = merge([known({ aliases: ['temp_1'] })], 3, erase())
    expect(merge(deleted.entities, 4, brought()).entities).toMatchObject([
      { id: 'temp_1', state: 'pending', turnCreated: 4 },
    ])
  })
})

describe('what takes the place of another', () => {
  it('A-005: makes it inactive', () => {
    const merged = merge([known({ id: 'r-1' })], 3, write({ replaces: 'r-1' }))
    expect(merged.entities).toMatchObject([
      { id: 'r-1', state: 'inactive', since: 3 },
      { id: 'r-9', state: 'active' },
    ])
    expect(
      merge([waiting()], 3, brought({ id: 'temp_2', replaces: 'temp_1' })).entities,
    ).toMatchObject([{ id: 'temp_1', state: 'inactive' }, { id: 'temp_2' }])
  })

  it('A-005: does so also where the other came in the same turn, in any order', () => {
    const [old, next] = [read({ id: 'r-1' }), write({ replaces: 'r-1' })]
    for (const pair of [
      [old, next],
      [next, old],
    ])
      expect(merge([], 3, ...pair).entities.find(({ id }) => id === 'r-1')?.state).toBe('inactive')
  })

  it('A-005: names it by any id, and cannot be itself or nothing', () => {
    const saved = known({ id: 'r-1', aliases: ['temp_1'] })
    expect(merge([saved], 3, write({ replaces: 'temp_1' })).entities[0]?.state).toBe('inactive')
    const self = merge([known()], 3, write({ replaces: 'r-9' }), read({ replaces: 'r-404' }))
    expect(self.entities).toMatchObject([{ id: 'r-9', state: 'active' }])
    expect(
      merge([known({ aliases: ['temp_1'] })], 3, write({ replaces: 'temp_1' })).entities,
    ).toMatchObject([{ state: 'active' }])
  })

  it('S0-052: a draft takes no place of what a database has', () => {
    expect(merge([known()], 3, brought({ replaces: 'r-9' })).entities[0]?.state).toBe('active')
  })

  it('a deletion takes no place', () => {
    const deletion = write({ action: 'delete', replaces: 'r-1' })
    expect(merge([known({ id: 'r-1' })], 3, deletion).entities[0]?.state).toBe('active')
  })

  it('A-005: what was inactive before is so from this turn on', () => {
    const gone = known({ id: 'r-1', state: 'inactive', since: 2 })
    expect(merge([gone], 3, write({ replaces: 'r-1' })).entities[0]?.since).toBe(3)
  })
})
