/** Turns in few words: what they brought, and what the user said of it. */

import type { Entity } from '../domain/entity.ts'
import type { EntityUpdate, TurnEntity } from '../domain/turn-memory.ts'
import { mergeEntities } from './entities/merge-entities.ts'
import { brought } from './entity.test-support.ts'

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
  brought({ id: 'r-9', source: 'db_read', ...given })
export const write = (given: Partial<TurnEntity> = {}) =>
  brought({ id: 'r-9', source: 'db_write', ...given })
export const save = (given: Partial<TurnEntity> = {}) =>
  write({ formerId: 'temp_1', action: 'create', ...given })
