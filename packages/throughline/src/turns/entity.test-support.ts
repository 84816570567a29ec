/** Entities of a kitchen for tests, as a turn reports them and as the registry has them. */

import { type Entity, isBacked, isTemporaryId } from '../domain/entity.ts'
import type { TurnEntity, TurnRules } from '../domain/turn-memory.ts'

/** An entity that a turn reports; by default a draft. */
export function reported(given: Partial<TurnEntity> = {}): TurnEntity {
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

/** An entity of the registry; by default read from a database in turn 1. */
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

/** A pending draft of turn 1. */
export function waiting(given: Partial<Entity> = {}): Entity {
  return known({ id: 'temp_1', state: 'pending', source: 'generate', ...given })
}

/** Checks the rules for shown entities, independently of the code that selects them. */
export function shownProblems(
  shown: readonly Entity[],
  { entitiesPerType }: Pick<TurnRules, 'entitiesPerType'>,
): readonly string[] {
  const problems: string[] = []
  for (const entity of shown) {
    if (entity.state !== 'active') problems.push(`shown and ${entity.state}: ${entity.id}`)
    if (!isBacked(entity)) problems.push(`shown and in no database: ${entity.id}`)
    if (isTemporaryId(entity.id)) problems.push(`shown with a temporary id: ${entity.id}`)
  }
  for (const [type, { length }] of Map.groupBy(shown, (entity) => entity.type))
    if (length > entitiesPerType) problems.push(`${length} are shown of the type ${type}`)
  return problems
}
