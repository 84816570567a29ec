import { describe, expect, it } from 'vitest'
import { known } from '../entity.test-support.ts'
import { EntityTable } from './entity-table.ts'

const one = known({ id: 'r-1', aliases: ['temp_1'] })
const other = known({ id: 'r-2', aliases: ['temp_2'] })
const third = known({ id: 'r-3' })

describe('entities in a table', () => {
  it('are found by id and by alias', () => {
    const table = new EntityTable([one, other])
    expect([
      table.find('r-1', 'recipe'),
      table.find('temp_2', 'recipe'),
      table.find('r-3', 'recipe'),
    ]).toEqual([one, other, null])
    expect(table.entities()).toEqual([one, other])
  })

  it('take the place of the first entity that they replace', () => {
    const last = known({ id: 'r-4' })
    const table = new EntityTable([third, one, other, last])
    const both = known({ id: 'r-9', aliases: ['r-1', 'r-2'] })
    table.put(both, [other, one])
    expect(table.entities()).toEqual([third, both, last])
    expect(table.find('r-2', 'recipe')).toBe(both)
    expect(table.find('temp_1', 'recipe')).toBeNull()
  })

  it('are removed with all their names', () => {
    const table = new EntityTable([one, other])
    table.remove({ id: 'temp_1', type: 'recipe' })
    table.remove({ id: 'r-404', type: 'recipe' })
    expect([table.find('r-1', 'recipe'), table.find('temp_1', 'recipe')]).toEqual([null, null])
    expect(table.entities()).toEqual([other])
  })

  it('have unique names: the last one that is put takes a name', () => {
    const table = new EntityTable([one, other])
    table.put(known({ id: 'temp_1', aliases: ['temp_2', 'temp_2', 'r-1', 'temp_1'] }), [])
    expect(table.entities()).toEqual([
      { ...one, aliases: [] },
      { ...other, aliases: [] },
      known({ id: 'temp_1', aliases: ['temp_2'] }),
    ])
    expect(table.find('temp_2', 'recipe')?.id).toBe('temp_1')
    expect(table.find('r-1', 'recipe')?.id).toBe('r-1')
  })

  it('with the same id are one', () => {
    expect(new EntityTable([one, known({ id: 'r-1' })]).entities()).toEqual([known({ id: 'r-1' })])
  })
})
