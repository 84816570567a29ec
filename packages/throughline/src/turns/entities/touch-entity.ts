/** What it does to an entity that a turn has named it. */
import { type Entity, type EntityState, isBacked } from '../../domain/entity.ts'

/**
 * Inactive ones come back; but what was rejected or replaced is named to be rid of it, and stays
 * until somebody confirms it or a database has it again.
 */
export function touchEntity(entity: Entity, turn: number): Entity {
  const turnLastRef = Math.max(entity.turnLastRef, turn)
  if (entity.state === 'inactive' && !entity.rejected && entity.since < turn)
    return { ...entity, turnLastRef, state: stateWhenBack(entity), since: turn }
  return turnLastRef === entity.turnLastRef ? entity : { ...entity, turnLastRef }
}

/** What no database has answered for has to be confirmed again. */
export function stateWhenBack(entity: Pick<Entity, 'source'>): EntityState {
  return isBacked(entity) ? 'active' : 'pending'
}
