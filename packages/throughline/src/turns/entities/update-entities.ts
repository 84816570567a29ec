/** What users have confirmed or rejected: the only word that changes a state without a database. */
import type { EntityUpdate } from '../../domain/agent-turn.ts'
import { type Entity, type EntityState, isBacked } from '../../domain/entity.ts'
import { EntityTable } from './entity-table.ts'
import { touchEntity } from './touch-entity.ts'

/** Entities behind updates, with those that were spoken of and updates that were not followed. */
export interface UpdatedEntities {
  readonly entities: readonly Entity[]
  /** Ids of those that were spoken of. */
  readonly touched: readonly string[]
  readonly ignored: readonly IgnoredUpdate[]
}

export interface IgnoredUpdate {
  readonly id: string
  /**
   * `several-types`: the id is one of several types, and none was said; `no-way-back`: what is
   * confirmed or backed cannot wait again; `no-id`: it was brought so.
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
    const why = whyNot(entity, state, table.isAmbiguous(id))
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

/** Rejected anew, it is inactive anew: its name in the same turn does not bring it back. */
export function withState(entity: Entity, state: EntityState, turn: number): Entity {
  if (entity.state === state && state !== 'inactive') return touchEntity(entity, turn)
  return { ...entity, state, since: turn, turnLastRef: turn, turnUpdated: turn }
}

function whyNot(
  entity: Entity | null,
  state: EntityState,
  isAmbiguous: boolean,
): IgnoredUpdate['why'] | null {
  if (!states.includes(state)) return 'invalid-state'
  if (entity === null) return isAmbiguous ? 'several-types' : 'unknown-entity'
  // What was confirmed, or stands in a database, waits for nobody.
  const waits = entity.state !== 'active' && !isBacked(entity)
  return state === 'pending' && entity.state !== 'pending' && !waits ? 'no-way-back' : null
}

const states: readonly unknown[] = ['pending', 'active', 'inactive'] satisfies EntityState[]
