import { describe, expect, it } from 'vitest'
import type { Entity } from '../../domain/entity.ts'
import { known, shownProblems, waiting } from '../entity.test-support.ts'
import { registryProblems } from './check-entities.ts'
import { activeEntities } from './entity-states.ts'

describe('problems of a registry', () => {
  it('are none in valid data', () => {
    expect(registryProblems([known({ aliases: ['temp_1'] }), known({ id: 'r-1' })])).toEqual([])
  })

  it('A-007: include a name of two entities', () => {
    expect(registryProblems([known(), known()])).toEqual([
      'entities[1].id is the same as entities[0].id',
    ])
    const aliased = (...aliases: readonly string[]) => known({ id: 'r-1', aliases })
    expect(registryProblems([aliased('r-9'), known()])).toEqual([
      'entities[0].aliases[0] is the same as entities[1].id',
    ])
    expect(registryProblems([aliased('x', 'x', 'r-1')])).toEqual([
      'entities[0].aliases[1] is the same as entities[0].aliases[0]',
      'entities[0].aliases[2] is the same as entities[0].id',
    ])
    expect(registryProblems([known({ id: ' ', aliases: [''] })])).toEqual([
      'entities[0].id is empty',
      'entities[0].aliases[0] is empty',
    ])
  })

  it.each([
    [{ state: 'deleted' }, 'entities[0].state is unknown'],
    [{ source: 'guess' }, 'entities[0].source is unknown'],
    [{ turnCreated: -1 }, 'entities[0].turnCreated is not a turn'],
    [{ since: 1.5 }, 'entities[0].since is not a turn'],
    [{ turnCreated: 2, turnLastRef: 2, since: 2 }, 'entities[0].turnUpdated is before turnCreated'],
    [{ turnUpdated: 2 }, 'entities[0].turnLastRef is before turnUpdated'],
    [{ since: 0 }, 'entities[0].since is before turnCreated'],
  ])('A-001 X0-4: include %j', (given, problem) => {
    expect(registryProblems([known(given as Partial<Entity>)])).toEqual([problem])
  })
})

describe('problems of shown entities', () => {
  const rules = { entitiesPerType: 2 }
  const [one, other] = [known({ id: 'r-1' }), known({ id: 'r-2' })]

  it('are none in valid data', () => {
    expect(shownProblems([one, other, known({ id: 't-1', type: 'task' })], rules)).toEqual([])
    expect(shownProblems(activeEntities([one, other, known()], rules), rules)).toEqual([])
  })

  it('S0-052 S0-054: include entities of no database', () => {
    expect(shownProblems([waiting({ id: 'r-1', state: 'active' })], rules)).toEqual([
      'shown and in no database: r-1',
    ])
    expect(shownProblems([known({ id: 'temp_1' })], rules)).toEqual([
      'shown with a temporary id: temp_1',
    ])
  })

  it('X0-4 A-007: include inactive entities and too many of a type', () => {
    expect(shownProblems([known({ state: 'inactive' })], rules)).toEqual([
      'shown and inactive: r-9',
    ])
    expect(shownProblems([one, other, known()], rules)).toEqual(['3 are shown of the type recipe'])
  })
})
