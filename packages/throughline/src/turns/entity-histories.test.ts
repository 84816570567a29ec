import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entity, EntityState } from '../domain/entity.ts'
import type { TurnEntity } from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import { registryProblems } from './entities/check-entities.ts'
import { entityRegistry } from './entities/entity-registry.ts'
import { activeEntities, collectEntities } from './entities/entity-states.ts'
import { touchMentioned } from './entities/find-mentions.ts'
import { mergeEntities } from './entities/merge-entities.ts'
import { known, reported, shownProblems, waiting } from './entity.test-support.ts'
import { type Played, randomTurns } from './random-turns.test-support.ts'

/** Processes one turn: merge, touch, collect. */
function live(entities: readonly Entity[], turn: number, played: Omit<Played, 'rows'>) {
  const merged = mergeEntities(entities, turn, played.reported, played.updates)
  const touched = touchMentioned(merged.entities, turn, [played.text])
  const collected = collectEntities(touched.entities, turn, turnRules)
  return { before: entities, merged, touched, collected, played, turn }
}

type Lived = ReturnType<typeof live>

function eachTurn(check: (lived: Lived & { readonly played: Played }) => void): void {
  fc.assert(
    fc.property(randomTurns, (turns) => {
      let entities: readonly Entity[] = []
      for (const [index, played] of turns.entries()) {
        const lived = live(entities, index + 1, played)
        check({ ...lived, played })
        entities = lived.collected.entities
      }
    }),
    { numRuns: 150 },
  )
}

function problemsOf(entities: readonly Entity[]): readonly string[] {
  const shown = activeEntities(entities, turnRules)
  return [...registryProblems(entities), ...shownProblems(shown, turnRules)]
}

const nothing = { reported: [], updates: [], text: '' }

describe('turns of an agent with a database', () => {
  it('S0-020 A-007: leave a valid registry', () => {
    eachTurn(({ merged, touched, collected }) => {
      for (const { entities } of [merged, touched, collected])
        expect(problemsOf(entities)).toEqual([])
    })
  })

  it('S0-051: track every reported entity, except deleted ones', () => {
    eachTurn(({ merged, played }) => {
      const deleted = new Set(
        played.reported.flatMap((entity) =>
          entity.action === 'delete' && entity.succeeded ? [entity.label] : [],
        ),
      )
      for (const { id, label, succeeded } of played.reported)
        if (succeeded && !deleted.has(label))
          expect([id, entityRegistry.get(merged.entities, id) === null]).toEqual([id, false])
    })
  })

  it('S0-052 S0-054 X0-5: show only rows of the database', () => {
    eachTurn(({ collected, played }) => {
      for (const { id } of activeEntities(collected.entities, turnRules))
        expect([id, played.rows.has(id)]).toEqual([id, true])
    })
  })

  it('X0-5: never have two entities for one thing', () => {
    eachTurn(({ collected: { entities } }) => {
      expect(new Set(entities.map(({ label }) => label)).size).toBe(entities.length)
    })
  })

  it('X0-3: deactivate no entity that they named or reported, except drafts', () => {
    eachTurn(({ merged, touched, collected }) => {
      const spoken = new Set([...merged.touched, ...touched.touched])
      for (const id of collected.deactivated)
        if (spoken.has(id)) expect(entityRegistry.get(touched.entities, id)?.state).toBe('pending')
    })
  })

  it('X0-3: remove only entities that an earlier turn made inactive', () => {
    eachTurn(({ before, merged, collected, turn }) => {
      for (const id of collected.removed) {
        const was = entityRegistry.get(before, id)
        expect(was).toMatchObject({ id, state: 'inactive' })
        expect(turn - (was?.since ?? turn)).toBeGreaterThanOrEqual(turnRules.inactiveTurns)
      }
      const kept = new Set(collected.entities.map(({ id }) => id))
      const gone = merged.entities.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
      expect(gone).toEqual(collected.removed)
    })
  })

  it('give the same result twice', () => {
    eachTurn(({ before, merged, touched, collected, played, turn }) => {
      expect(
        mergeEntities(merged.entities, turn, played.reported, played.updates).entities,
      ).toEqual(merged.entities)
      expect(touchMentioned(touched.entities, turn, [played.text])).toEqual(touched)
      expect(collectEntities(collected.entities, turn, turnRules).entities).toEqual(
        collected.entities,
      )
      expect(live(before, turn, played).collected).toEqual(collected)
    })
  })

  it('S0-006 X0-3: are forgotten after seven turns that name nothing', () => {
    fc.assert(
      fc.property(randomTurns, (turns) => {
        let entities: readonly Entity[] = []
        const silent = Array.from({ length: 7 }, () => nothing)
        for (const [index, played] of [...turns, ...silent].entries())
          entities = live(entities, index + 1, played).collected.entities
        expect(entities).toEqual([])
      }),
    )
  })
})

describe('turns with arbitrary entities', () => {
  const name = fc.constantFrom('r-1', 'r-2', 'r-3', 'temp_1', 'temp_2', 'tmp-3', ' ')
  const anything = fc.record({
    id: name,
    type: fc.constantFrom('recipe', 'task'),
    label: fc.constantFrom('Rice Bowl', 'Soup', ''),
    source: fc.constantFrom('db_read', 'db_write', 'generate', 'analyze'),
    state: fc.constantFrom('pending', 'active', null),
    formerId: fc.option(name),
    replaces: fc.option(name),
    action: fc.constantFrom('create', 'update', 'delete', null),
    succeeded: fc.boolean(),
    subdomain: fc.constantFrom(null, 'x'),
    data: fc.constantFrom(null, 1, { a: 1 }),
  }) as fc.Arbitrary<TurnEntity>
  const update = fc.record({
    id: name,
    state: fc.constantFrom<EntityState>('pending', 'active', 'inactive'),
  })
  const turns = fc.array(
    fc.record({
      reported: fc.array(anything, { maxLength: 4 }),
      updates: fc.array(update, { maxLength: 2 }),
      text: fc.constantFrom('', 'rice bowl', 'soup', 'r-1', 'temp_2'),
    }),
    { maxLength: 10 },
  )

  it('A-007 S0-054: leave a valid registry', () => {
    fc.assert(
      fc.property(turns, (all) => {
        let entities: readonly Entity[] = []
        for (const [index, played] of all.entries()) {
          const { merged, touched, collected } = live(entities, index + 1, played)
          for (const each of [merged, touched, collected])
            expect(problemsOf(each.entities)).toEqual([])
          for (const id of merged.touched)
            expect(merged.entities.map((entity) => entity.id)).toContain(id)
          entities = collected.entities
        }
        expect(entityRegistry.fromJson(entityRegistry.toJson(entities))).toEqual(entities)
      }),
      { numRuns: 150 },
    )
  })

  it('S0-051: track each successful entity, unless it was deleted', () => {
    fc.assert(
      fc.property(turns, (all) => {
        let entities: readonly Entity[] = []
        for (const [index, played] of all.entries()) {
          const deletes = played.reported.some(({ action }) => action === 'delete')
          entities = live(entities, index + 1, played).merged.entities
          for (const { id, type, succeeded } of played.reported)
            if (succeeded && !deletes && id !== ' ')
              expect([id, entityRegistry.get(entities, id, type) === null]).toEqual([id, false])
        }
      }),
    )
  })
})

describe('the same entities in another order', () => {
  // Each entity has one name and one content, so only the order differs.
  const pieces = [1, 2].flatMap((thing) => {
    const of = { label: `Dish number ${thing}`, subdomain: 'kitchen' }
    const [id, temporary] = [`r-${thing}`, `temp_${thing}`]
    return [
      reported({ ...of, id: temporary }),
      reported({ ...of, id, formerId: temporary, source: 'db_write', action: 'create' }),
      reported({ ...of, id, source: 'db_read' }),
      reported({ ...of, id: temporary, source: 'analyze' }),
      reported({ ...of, id, source: 'db_write', action: 'update', succeeded: false }),
    ]
  })
  const sorted = (entities: readonly Entity[]) =>
    entities.toSorted((one, other) => (one.id < other.id ? -1 : 1))

  it('X0-5 S0-052: give the same result', () => {
    const before = [waiting({ label: 'Dish number 1', subdomain: 'kitchen' })]
    const orders = fc
      .subarray(pieces)
      .chain((some) =>
        fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
      )
    fc.assert(
      fc.property(orders, fc.boolean(), ([some, shuffled], isKnown) => {
        const entities = isKnown ? before : []
        const one = mergeEntities(entities, 2, some, [])
        const other = mergeEntities(entities, 2, shuffled, [])
        expect(sorted(other.entities)).toEqual(sorted(one.entities))
        for (const field of ['created', 'updated', 'deleted', 'promoted', 'touched'] as const)
          expect(other[field].toSorted()).toEqual(one[field].toSorted())
        expect([other.generated, other.saved]).toEqual([one.generated, one.saved])
      }),
      { numRuns: 150 },
    )
  })
})

describe('the state of an entity', () => {
  /** A second implementation of the documented rules: the state by the turns that name it. */
  function expected(isBacked: boolean, named: readonly boolean[]): readonly string[] {
    let [state, since, last] = [isBacked ? 'active' : 'pending', 1, 1]
    return named.map((isNamed, index) => {
      const turn = index + 2
      if (state === 'gone') return state
      if (isNamed && state === 'inactive') [state, since] = [isBacked ? 'active' : 'pending', turn]
      if (isNamed) last = turn
      if (state === 'pending' && turn >= Math.max(since, last) + 3)
        [state, since] = ['inactive', turn]
      else if (state === 'active' && turn >= last + 5) [state, since] = ['inactive', turn]
      else if (state === 'inactive' && turn >= Math.max(since, last) + 2) state = 'gone'
      return state
    })
  }

  it('A-004 A-005 X0-3 S0-053: follows the documented rules for any mentions', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.boolean(), { maxLength: 24 }), (isBacked, named) => {
        let entities: readonly Entity[] = [isBacked ? known() : waiting()]
        const states = named.map((isNamed, index) => {
          const text = isNamed ? 'the rice bowl' : 'nothing'
          entities = live(entities, index + 2, { ...nothing, text }).collected.entities
          return entities[0]?.state ?? 'gone'
        })
        expect(states).toEqual(expected(isBacked, named))
      }),
      { numRuns: 500 },
    )
  })
})
