import type { Entity, EntityState } from '../../domain/entity.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { EntityUpdate, TurnEntity, TurnRules } from '../../domain/turn-memory.ts'
import { turnRules } from '../../domain/turn-rules-data.ts'
import { readEntities, registryProblems } from './check-entities.ts'
import {
  activeEntities,
  type CollectedEntities,
  type CollectRules,
  collectEntities,
  mostRecent,
  touchEntity,
  type UpdatedEntities,
  updateEntities,
} from './entity-states.ts'
import { EntityTable } from './entity-table.ts'
import { touchMentioned } from './find-mentions.ts'
import { type MergedEntities, mergeEntities } from './merge-entities.ts'

type Entities = readonly Entity[]

/** An entity to add. `succeeded` defaults to true, the other optional fields to null. */
export type NewEntity = Pick<TurnEntity, 'id' | 'type' | 'label' | 'source'> & Partial<TurnEntity>

/** How many entities of a type are in each state. */
export type StateCounts = Readonly<Record<EntityState, number>>

/**
 * The operations on entities, for agents that store their own: pure functions on plain data.
 *
 * @example
 * const soup = { id: 'temp_1', type: 'recipe', label: 'Soup', source: 'generate' } as const
 * let entities = entityRegistry.add([], 1, soup)
 * entities = entityRegistry.updateState(entities, 2, { id: 'temp_1', type: null, state: 'active'
 * }).entities
 * console.log(entityRegistry.active(entities).map(({ label }) => label))
 */
export const entityRegistry = {
  add: (entities: Entities, turn: number, entity: NewEntity): Entities =>
    mergeEntities(entities, turn, [{ ...entityDefaults, ...entity }], []).entities,

  /** Finds an entity by its id or a former id; null if several types have it and none is given. */
  get: (entities: Entities, id: string, type: string | null = null): Entity | null =>
    new EntityTable(entities).findNamed(id, type),

  updateState: (entities: Entities, turn: number, update: EntityUpdate): UpdatedEntities =>
    updateEntities(entities, turn, [update]),

  /** Reports unknown ids and invalid states in `ignored`. */
  applyUpdates: updateEntities,

  /** Records that a turn named an entity; changes nothing if it is unknown. */
  touch: (entities: Entities, turn: number, id: string, type: string | null = null): Entities => {
    const table = new EntityTable(entities)
    const entity = table.findNamed(id, type)
    if (entity !== null) table.put(touchEntity(entity, turn), [entity])
    return table.entities()
  },

  touchMentioned,

  /** All confirmed or stored entities; `shown` returns those that a turn may refer to. */
  active: (entities: Entities): Entities => entities.filter(({ state }) => state === 'active'),
  pending: (entities: Entities): Entities => entities.filter(({ state }) => state === 'pending'),
  byType: (entities: Entities, type: string): Entities =>
    entities.filter((entity) => entity.type === type),

  countsByType: (entities: Entities): Readonly<Record<string, StateCounts>> =>
    Object.fromEntries(
      [...Map.groupBy(entities, ({ type }) => type)].map(([type, all]) => [type, countsOf(all)]),
    ),

  /** Pending and active entities, the most recent first. */
  recentByType: (
    entities: Entities,
    rules: Pick<TurnRules, 'entitiesPerType'> = turnRules,
  ): Readonly<Record<string, Entities>> => {
    const current = entities.filter(({ state }) => state !== 'inactive')
    const recent = mostRecent(current, rules.entitiesPerType)
    return Object.fromEntries(Map.groupBy(recent, ({ type }) => type))
  },

  /** The entities that later turns may refer to: active, in a database, a few per type. */
  shown: (entities: Entities, rules: Pick<TurnRules, 'entitiesPerType'> = turnRules): Entities =>
    activeEntities(entities, rules),

  mergeFromTurn: (
    entities: Entities,
    turn: number,
    reported: readonly TurnEntity[],
    updates: readonly EntityUpdate[] = [],
  ): MergedEntities => mergeEntities(entities, turn, reported, updates),

  collect: (entities: Entities, turn: number, rules: CollectRules = turnRules): CollectedEntities =>
    collectEntities(entities, turn, rules),

  /** Describes what is wrong; empty unless the data was changed by hand. */
  problems: (entities: Entities): readonly string[] => registryProblems(entities),
  toJson: (entities: Entities): JsonValue => JSON.parse(JSON.stringify(entities)) as JsonValue,

  /** Throws CONFIG_INVALID and names the invalid field. */
  fromJson: readEntities,
} as const

const entityDefaults = {
  state: null,
  formerId: null,
  replaces: null,
  action: null,
  succeeded: true,
  subdomain: null,
  data: null,
} as const satisfies Partial<TurnEntity>

function countsOf(entities: Entities): StateCounts {
  const counts = { pending: 0, active: 0, inactive: 0 }
  for (const { state } of entities) counts[state] += 1
  return counts
}
