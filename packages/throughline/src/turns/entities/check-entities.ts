import type { Entity, EntitySource } from '../../domain/entity.ts'
import { isObject } from '../../domain/json.ts'
import { describe } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'
import { limits } from '../limits-data.ts'
import { entityStates } from './entity-states.ts'

export function readEntities(value: unknown): readonly Entity[] {
  const entities = list(value, 'entities').map((item, index) =>
    readEntity(item, `entities[${index}]`),
  )
  const [problem] = registryProblems(entities)
  if (problem !== undefined) throw invalid(problem)
  return entities
}

type Check = (value: unknown, where: string) => void

function must(beWhat: string, isValid: (value: unknown) => boolean): Check {
  return (value, where) => {
    if (!isValid(value)) throw invalid(`${where} must be ${beWhat}, got ${describe(value)}`)
  }
}

const object = must('an object', isObject)
const array = must('an array', Array.isArray)
const string = must('a string', (value) => typeof value === 'string')
const turn = must(
  'a whole number from 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
)

function list(value: unknown, where: string): readonly unknown[] {
  array(value, where)
  return Array.from(value as readonly unknown[])
}

function oneOf(known: readonly string[]): Check {
  const isKnown = must(known.join(', '), (value) => known.some((each) => each === value))
  return (value, where) => {
    string(value, where)
    isKnown(value, where)
  }
}

const entitySources: readonly EntitySource[] = ['db_read', 'db_write', 'generate', 'analyze']

const checks: Readonly<Record<keyof Entity, Check>> = {
  id: string,
  type: string,
  label: string,
  aliases: (value, where) => {
    for (const [index, alias] of list(value, where).entries()) string(alias, `${where}[${index}]`)
  },
  state: oneOf(entityStates),
  source: oneOf(entitySources),
  turnCreated: turn,
  turnLastRef: turn,
  turnUpdated: turn,
  since: turn,
  rejected: must('true or false', (value) => typeof value === 'boolean'),
  subdomain: (value, where) => value === null || string(value, where),
  data: (value, where) => json(value, where, 0),
}

function readEntity(value: unknown, where: string): Entity {
  object(value, where)
  const fields: Record<string, unknown> = { ...(value as object) }
  const unknownField = Object.keys(fields).find((field) => !Object.hasOwn(checks, field))
  if (unknownField !== undefined) throw invalid(`${where} has no field "${unknownField}"`)
  fields['rejected'] ??= false
  for (const [field, check] of Object.entries(checks)) check(fields[field], `${where}.${field}`)
  // Each field has passed its check.
  return structuredClone(fields) as unknown as Entity
}

function invalid(problem: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', problem)
}

function json(value: unknown, where: string, depth: number): void {
  if (depth > limits.maxDepth) throw invalid(`${where} is nested more than ${limits.maxDepth} deep`)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (typeof value !== 'object') throw invalid(`${where} must be JSON, got ${describe(value)}`)
  if (Array.isArray(value))
    for (const [index, item] of list(value, where).entries())
      json(item, `${where}[${index}]`, depth + 1)
  else for (const [key, item] of Object.entries(value)) json(item, `${where}.${key}`, depth + 1)
}

/** The problems of a registry with their places. Merges, touches and collections cause none. */
export function registryProblems(entities: readonly Entity[]): readonly string[] {
  return [
    ...nameProblems(entities),
    ...entities.flatMap((entity, index) => lifeProblems(entity, `entities[${index}]`)),
  ]
}

function nameProblems(entities: readonly Entity[]): readonly string[] {
  const firstUses = new Map<string, string>()
  const problems: string[] = []
  const checkName = (name: string, type: string, where: string) => {
    const key = JSON.stringify([type.trim().toLowerCase(), name])
    const firstUse = firstUses.get(key)
    if (name.trim() === '') problems.push(`${where} is empty`)
    else if (firstUse !== undefined) problems.push(`${where} is the same as ${firstUse}`)
    else firstUses.set(key, where)
  }
  for (const [index, { id, type }] of entities.entries())
    checkName(id, type, `entities[${index}].id`)
  for (const [index, { aliases, type }] of entities.entries())
    for (const [aliasIndex, alias] of aliases.entries())
      checkName(alias, type, `entities[${index}].aliases[${aliasIndex}]`)
  return problems
}

function lifeProblems(entity: Entity, where: string): readonly string[] {
  const { state, source, turnCreated, turnUpdated, turnLastRef, since } = entity
  const turns = { turnCreated, turnUpdated, turnLastRef, since }
  const problems: string[] = []
  if (!entityStates.includes(state)) problems.push(`${where}.state is unknown`)
  if (!entitySources.includes(source)) problems.push(`${where}.source is unknown`)
  for (const [field, turn] of Object.entries(turns))
    if (!Number.isSafeInteger(turn) || turn < 0) problems.push(`${where}.${field} is not a turn`)
  if (turnUpdated < turnCreated) problems.push(`${where}.turnUpdated is before turnCreated`)
  if (turnLastRef < turnUpdated) problems.push(`${where}.turnLastRef is before turnUpdated`)
  if (since < turnCreated) problems.push(`${where}.since is before turnCreated`)
  if (entity.rejected && state !== 'inactive') problems.push(`${where} is rejected but ${state}`)
  return problems
}
