import type { Entity, EntitySource, EntityState } from '../../domain/entity.ts'
import { describe } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'
import { limits } from '../limits-data.ts'

export function readEntities(value: unknown): readonly Entity[] {
  const entities = list(value, 'entities').map((item, index) =>
    readEntity(item, `entities[${index}]`),
  )
  const [problem] = registryProblems(entities)
  if (problem !== undefined) throw invalid(problem)
  return entities
}

type Check = (value: unknown, where: string) => void

function must(be: string, isSo: (value: unknown) => boolean): Check {
  return (value, where) => {
    if (!isSo(value)) throw invalid(`${where} must be ${be}, got ${describe(value)}`)
  }
}

const object = must(
  'an object',
  (value) => typeof value === 'object' && !!value && !Array.isArray(value),
)
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

const entityStates: readonly EntityState[] = ['pending', 'active', 'inactive']
const entitySources: readonly EntitySource[] = ['db_read', 'db_write', 'generate', 'analyze']

const checks: Readonly<Record<keyof Entity, Check>> = {
  ...{ id: string, type: string, label: string },
  aliases: (value, where) => {
    for (const [index, alias] of list(value, where).entries()) string(alias, `${where}[${index}]`)
  },
  state: oneOf(entityStates),
  source: oneOf(entitySources),
  ...{ turnCreated: turn, turnLastRef: turn, turnUpdated: turn, since: turn },
  rejected: must('true or false', (value) => typeof value === 'boolean'),
  subdomain: (value, where) => value === null || string(value, where),
  data: (value, where) => json(value, where, 0),
}

function readEntity(value: unknown, where: string): Entity {
  object(value, where)
  const given: Record<string, unknown> = { ...(value as object) }
  const other = Object.keys(given).find((field) => !Object.hasOwn(checks, field))
  if (other !== undefined) throw invalid(`${where} has no field "${other}"`)
  given['rejected'] ??= false
  for (const [field, check] of Object.entries(checks)) check(given[field], `${where}.${field}`)
  // Each field has passed its check.
  return structuredClone(given) as unknown as Entity
}

function invalid(problem: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', problem)
}

function json(value: unknown, where: string, depth: number): void {
  if (depth > limits.depthMax) throw invalid(`${where} is nested more than ${limits.depthMax} deep`)
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
