/** Which entities a context names: the last ones of each type that were named. Pure. */
import { type Entity, isReal } from '../../domain/entity.ts'
import type { TurnRules } from '../../domain/turn-rules.ts'

type Limits = Pick<TurnRules, 'entitiesPerType'>

/**
 * Those that stand in a database under the id that they have here. A generated one is not among
 * them, not even a confirmed one, since its id is no key of anything.
 */
export function activeEntities(
  entities: readonly Entity[],
  { entitiesPerType }: Limits,
): readonly Entity[] {
  return mostRecent(entities.filter(isStanding), entitiesPerType)
}

/** Those that were generated and are wanted, and that no write has made real yet. */
export function unsavedEntities(
  entities: readonly Entity[],
  { entitiesPerType }: Limits,
): readonly Entity[] {
  const unsaved = entities.filter((entity) => entity.state !== 'inactive' && !isStanding(entity))
  return mostRecent(unsaved, entitiesPerType)
}

function isStanding(entity: Entity): boolean {
  return entity.state === 'active' && isReal(entity)
}

/** The most recent first, at most so many of a type; of one turn, in the order in which they came. */
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
