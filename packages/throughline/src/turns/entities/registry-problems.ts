/**
 * What is wrong with entities, in words, each with its place: nothing, however many turns were
 * merged, touched and collected. What is shown is looked at too, by what must hold of it and not
 * by how it is chosen.
 */
import { type Entity, type EntitySource, type EntityState, isBacked } from '../../domain/entity.ts'
import { isTemporaryId } from '../../domain/temporary-id.ts'
import { type TurnRules, turnRules } from '../../domain/turn-rules.ts'
import { activeEntities } from './active-entities.ts'

export const entityStates: readonly EntityState[] = ['pending', 'active', 'inactive']
export const entitySources: readonly EntitySource[] = ['db_read', 'db_write', 'generate', 'analyze']

export function registryProblems(
  entities: readonly Entity[],
  rules: Pick<TurnRules, 'entitiesPerType'> = turnRules,
): readonly string[] {
  return [
    ...nameProblems(entities),
    ...entities.flatMap((entity, index) => lifeProblems(entity, `entities[${index}]`)),
    ...shownProblems(activeEntities(entities, rules), rules),
  ]
}

/** Within a type a name stands for one entity. */
function nameProblems(entities: readonly Entity[]): readonly string[] {
  const holders = new Map<string, string>()
  const problems: string[] = []
  const take = (name: string, type: string, where: string) => {
    const key = JSON.stringify([type.trim().toLowerCase(), name])
    const holder = holders.get(key)
    if (name.trim() === '') problems.push(`${where} is empty`)
    else if (holder !== undefined) problems.push(`${where} is the same as ${holder}`)
    else holders.set(key, where)
  }
  for (const [index, { id, type }] of entities.entries()) take(id, type, `entities[${index}].id`)
  for (const [index, { aliases, type }] of entities.entries())
    for (const [place, alias] of aliases.entries())
      take(alias, type, `entities[${index}].aliases[${place}]`)
  return problems
}

function lifeProblems(entity: Entity, where: string): readonly string[] {
  const { state, source, turnCreated, turnUpdated, turnLastRef, since } = entity
  const turns = { turnCreated, turnUpdated, turnLastRef, since }
  const problems: string[] = []
  if (!entityStates.includes(state)) problems.push(`${where}.state is none`)
  if (!entitySources.includes(source)) problems.push(`${where}.source is none`)
  for (const [field, turn] of Object.entries(turns))
    if (!Number.isSafeInteger(turn) || turn < 0) problems.push(`${where}.${field} is no turn`)
  if (turnUpdated < turnCreated) problems.push(`${where}.turnUpdated is before turnCreated`)
  if (turnLastRef < turnUpdated) problems.push(`${where}.turnLastRef is before turnUpdated`)
  if (since < turnCreated) problems.push(`${where}.since is before turnCreated`)
  if (entity.rejected && state !== 'inactive') problems.push(`${where} is rejected and ${state}`)
  return problems
}

/** What is wrong with the entities that a context shows, wherever they were chosen. */
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
