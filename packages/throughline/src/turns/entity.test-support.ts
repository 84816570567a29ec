/** Entities of a kitchen, as turns bring them and as they are known. */

import type { Entity } from '../domain/entity.ts'
import type { TurnEntity } from '../domain/turn-memory.ts'

/** A draft, unless it says otherwise. */
export function brought(given: Partial<TurnEntity> = {}): TurnEntity {
  return {
    id: 'temp_1',
    type: 'recipe',
    label: 'Rice Bowl',
    source: 'generate',
    state: null,
    formerId: null,
    replaces: null,
    action: null,
    succeeded: true,
    subdomain: null,
    data: null,
    ...given,
  }
}

/** From a database in turn 1, unless it says otherwise. */
export function known(given: Partial<Entity> = {}): Entity {
  return {
    id: 'r-9',
    type: 'recipe',
    label: 'Rice Bowl',
    aliases: [],
    state: 'active',
    source: 'db_read',
    turnCreated: 1,
    turnLastRef: 1,
    turnUpdated: 1,
    since: 1,
    rejected: false,
    subdomain: null,
    data: null,
    ...given,
  }
}

/** A draft of turn 1 that waits. */
export function waiting(given: Partial<Entity> = {}): Entity {
  return known({ id: 'temp_1', state: 'pending', source: 'generate', ...given })
}
