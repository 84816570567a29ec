/** Short ways to write the entities and updates of a turn, for tests. */

import type { Entity } from '../domain/entity.ts'
import type { EntityUpdate, TurnEntity } from '../domain/turn-memory.ts'
import { mergeEntities } from './entities/merge-entities.ts'
import { reported } from './entity.test-support.ts'

export const merge = (
  entities: readonly Entity[],
  turn: number,
  ...all: readonly (TurnEntity | EntityUpdate)[]
) =>
  mergeEntities(
    entities,
    turn,
    all.filter((given) => 'source' in given),
    all.filter((given): given is EntityUpdate => !('source' in given)),
  )

export const read = (given: Partial<TurnEntity> = {}) =>
  reported({ id: 'r-9', source: 'db_read', ...given })
export const write = (given: Partial<TurnEntity> = {}) =>
  reported({ id: 'r-9', source: 'db_write', ...given })
export const save = (given: Partial<TurnEntity> = {}) =>
  write({ formerId: 'temp_1', action: 'create', ...given })
