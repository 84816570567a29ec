import { type Entity, type EntityState, isBacked, isReal } from '../../domain/entity.ts'
import type { EntityUpdate, TurnRules } from '../../domain/turn-memory.ts'
import { EntityTable } from './entity-table.ts'

/** Entities after updates, with the ids that were updated and the updates that were ignored. */
export interface UpdatedEntities {
  readonly entities: readonly Entity[]
  readonly touched: readonly string[]
  readonly ignored: readonly IgnoredUpdate[]
}

export interface IgnoredUpdate {
  readonly id: string
  /**
   * `several-types`: ambiguous without a type; `no-way-back`: a confirmed entity cannot become
   * pending; `no-id`: the turn reported it without an id.
   */
  readonly why: 'unknown-entity' | 'several-types' | 'invalid-state' | 'no-way-back' | 'no-id'
}

export function updateEntities(
  entities: readonly Entity[],
  turn: number,
  updates: readonly EntityUpdate[],
): UpdatedEntities {
  const table = new EntityTable(entities)
  const touched = new Set<string>()
  const ignored: IgnoredUpdate[] = []
  for (const { id, type = null, state } of updates) {
    const entity = table.findNamed(id, type)
    const why = whyIgnored(entity, state, table.isAmbiguous(id))
    if (entity === null || why !== null) {
      ignored.push({ id, why: why ?? 'unknown-entity' })
      continue
    }
    touched.add(entity.id)
    const rejected = state === 'inactive'
    table.put({ ...withState(entity, state, turn), rejected }, [entity])
  }
  return { entities: table.entities(), touched: [...touched], ignored }
}

/** A repeated rejection renews `since`, so that its name in the same turn does not restore it. */
export function withState(entity: Entity, state: EntityState, turn: number): Entity {
  if (entity.state === state && state !== 'inactive') return touchEntity(entity, turn)
  return { ...entity, state, since: turn, turnLastRef: turn, turnUpdated: turn }
}

function whyIgnored(
  entity: Entity | null,
  state: EntityState,
  isAmbiguous: boolean,
): IgnoredUpdate['why'] | null {
  if (!entityStates.includes(state)) return 'invalid-state'
  if (entity === null) return isAmbiguous ? 'several-types' : 'unknown-entity'
  // Confirmed and stored entities cannot become pending.
  const mayWait = entity.state !== 'active' && !isBacked(entity)
  return state === 'pending' && entity.state !== 'pending' && !mayWait ? 'no-way-back' : null
}

export const entityStates: readonly EntityState[] = ['pending', 'active', 'inactive']

/** Restores an inactive entity, unless it was rejected or replaced. */
export function touchEntity(entity: Entity, turn: number): Entity {
  const turnLastRef = Math.max(entity.turnLastRef, turn)
  if (entity.state === 'inactive' && !entity.rejected && entity.since < turn)
    return { ...entity, turnLastRef, state: restoredState(entity), since: turn }
  return turnLastRef === entity.turnLastRef ? entity : { ...entity, turnLastRef }
}

/** An entity that no database has must be confirmed again. */
export function restoredState(entity: Pick<Entity, 'source'>): EntityState {
  return isBacked(entity) ? 'active' : 'pending'
}

/** Entities after a collection, with the ids that became inactive or were removed. */
export interface CollectedEntities {
  readonly entities: readonly Entity[]
  readonly deactivated: readonly string[]
  readonly removed: readonly string[]
}

/** How many turns an entity stays in a state that nothing renews. */
export type CollectRules = Pick<TurnRules, 'pendingTurns' | 'activeTurns' | 'inactiveTurns'>

export function collectEntities(
  entities: readonly Entity[],
  turn: number,
  rules: CollectRules,
): CollectedEntities {
  const remaining: Entity[] = []
  const deactivated: string[] = []
  const removed: string[] = []
  for (const entity of entities) {
    if (!isDue(entity, turn, rules)) remaining.push(entity)
    else if (entity.state === 'inactive') removed.push(entity.id)
    else {
      remaining.push({ ...entity, state: 'inactive', since: turn })
      deactivated.push(entity.id)
    }
  }
  return { entities: remaining, deactivated, removed }
}

function isDue({ state, since, turnLastRef }: Entity, turn: number, rules: CollectRules): boolean {
  switch (state) {
    case 'pending':
      // Naming a draft does not confirm it, but whoever names it still works with it.
      return turn - Math.max(since, turnLastRef) >= rules.pendingTurns
    case 'active':
      return turn - turnLastRef >= rules.activeTurns
    case 'inactive':
      return turn - Math.max(since, turnLastRef) >= rules.inactiveTurns
  }
}

type Limits = Pick<TurnRules, 'entitiesPerType'>

/** Entities whose id is a key in a database; generated ones are excluded, even if confirmed. */
export function activeEntities(
  entities: readonly Entity[],
  { entitiesPerType }: Limits,
): readonly Entity[] {
  return mostRecent(entities.filter(isSaved), entitiesPerType)
}

/** Generated entities that wait to be saved. */
export function unsavedEntities(
  entities: readonly Entity[],
  { entitiesPerType }: Limits,
): readonly Entity[] {
  const unsaved = entities.filter((entity) => entity.state !== 'inactive' && !isSaved(entity))
  return mostRecent(unsaved, entitiesPerType)
}

function isSaved(entity: Entity): boolean {
  return entity.state === 'active' && isReal(entity)
}

/** The most recent first, at most `perType` of each type. */
export function mostRecent(entities: readonly Entity[], perType: number): readonly Entity[] {
  const counts = new Map<string, number>()
  return recentFirst(entities).filter(({ type }) => {
    const count = (counts.get(type) ?? 0) + 1
    counts.set(type, count)
    return count <= perType
  })
}

export function recentFirst(entities: readonly Entity[]): readonly Entity[] {
  return entities.toSorted(
    (one, other) => other.turnLastRef - one.turnLastRef || other.turnUpdated - one.turnUpdated,
  )
}
