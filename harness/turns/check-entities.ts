/** The registry is what the life of each entity makes of it; what is shown of it is real. */
import type { Entity, TurnMemory, TurnRules } from 'throughline/turns'
import { looksMadeUp, type Thing } from './expected-things.ts'
import { isSame, type Note, type SeenTurn } from './seen-turn.ts'

export function checkEntities({ outcome, record, expected, own }: SeenTurn, note: Note): void {
  const { deactivated, removed } = outcome?.entities ?? own.lived
  checkRegistry(record.knows.entities, expected.things, note)
  const sets = [
    ['mentioned', record.entitiesMentioned, own.lived.touched],
    ['deactivated', deactivated, own.lived.deactivated],
    ['removed', removed, own.lived.removed],
  ] as const
  for (const [name, is, should] of sets)
    if (!isSame([...new Set(is)].sort(), [...should].sort()))
      note('entities', `${name} ${[...is].join()}, not ${[...should].join()}`)
}

export function checkRegistry(
  entities: readonly Entity[],
  things: readonly Thing[],
  note: Note,
): void {
  const byKey = new Map(entities.map((entity) => [keyOf(entity), entity]))
  if (byKey.size !== entities.length) note('entities', 'an id of a type stands there twice')
  const keys = new Set(things.map(keyOf))
  const extra = [...byKey.keys()].filter((key) => !keys.has(key))
  if (extra.length > 0) note('entities', `should not be there: ${extra.join()}`)
  for (const thing of things) {
    const entity = byKey.get(keyOf(thing))
    if (entity === undefined) {
      note('entities', `is not there: ${JSON.stringify(thing)}`)
      continue
    }
    const is = thingOf(entity)
    if (!isSame(is, { ...thing, former: thing.former.toSorted() }))
      note('entities', `is ${JSON.stringify(is)}, not ${JSON.stringify(thing)}`)
  }
}

function keyOf({ id, type }: Pick<Entity, 'id' | 'type'>): string {
  return `${type} ${id}`
}

function thingOf(entity: Entity): Thing {
  const { id, type, label, state, source, turnCreated, turnLastRef, since } = entity
  const backed = source === 'db_read' || source === 'db_write'
  return {
    ...{ id, type, label, former: entity.aliases.toSorted(), state, backed },
    ...{ created: turnCreated, named: turnLastRef, since, rejected: entity.rejected },
  }
}

/** Standing in a database, active, the most recent first, and of each type no more than so many. */
export function checkActive(
  { activeEntities, entities }: TurnMemory,
  { entitiesPerType }: TurnRules,
  note: Note,
): void {
  for (const { id, state, source } of activeEntities)
    if (state !== 'active' || looksMadeUp(id) || (source !== 'db_read' && source !== 'db_write'))
      note('active', `${id} is ${state}, by ${source}`)
  const order = activeEntities.map(({ turnLastRef }) => turnLastRef)
  if (
    !isSame(
      order,
      order.toSorted((one, other) => other - one),
    )
  )
    note('active', `order ${order.join()}`)
  const shown = new Set(activeEntities.map(keyOf))
  const real = entities.filter(
    ({ id, state, source }) => state === 'active' && source.startsWith('db_') && !looksMadeUp(id),
  )
  for (const [type, all] of Map.groupBy(real, (entity) => entity.type)) {
    const [here, left] = [
      all.filter((entity) => shown.has(keyOf(entity))),
      all.filter((entity) => !shown.has(keyOf(entity))),
    ]
    if (here.length !== Math.min(all.length, entitiesPerType))
      note('active', `${here.length} of ${all.length} of type ${type}`)
    const oldest = Math.min(...here.map(({ turnLastRef }) => turnLastRef))
    if (left.some(({ turnLastRef }) => turnLastRef > oldest))
      note('active', `a more recent ${type} is not shown`)
  }
}
