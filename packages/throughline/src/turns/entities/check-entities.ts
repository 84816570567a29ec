/** Entities from JSON that somebody has kept: unknown in, checked out, or an error that says where. */

import {
  type Entity,
  type EntitySource,
  type EntityState,
  isBacked,
  isTemporaryId,
} from '../../domain/entity.ts'
import type { JsonValue } from '../../domain/json.ts'
import { describe } from '../../domain/text.ts'
import { type TurnRules, turnRules } from '../../domain/turn-memory.ts'
import { ThroughlineError } from '../../errors.ts'
import { activeEntities } from './entity-states.ts'

/** Copies: the caller may change its own objects later. */
export function readEntities(value: unknown): readonly Entity[] {
  const entities = list(value, 'entities').map((item, index) =>
    readEntity(item, `entities[${index}]`),
  )
  const [problem] = registryProblems(entities)
  if (problem !== undefined) throw invalid(problem)
  return entities
}

const fields: readonly string[] = [
  ...['id', 'type', 'label', 'aliases', 'state', 'source', 'turnCreated', 'turnLastRef'],
  ...['turnUpdated', 'since', 'rejected', 'subdomain', 'data'],
]

function readEntity(value: unknown, where: string): Entity {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${where} must be an object, got ${describe(value)}`)
  const given = value as Readonly<Record<string, unknown>>
  const other = Object.keys(given).find((field) => !fields.includes(field))
  if (other !== undefined) throw invalid(`${where} has no field "${other}"`)
  const at = (field: string) => `${where}.${field}`
  const { id, type, label, aliases, state, source, subdomain, data } = given
  const turn = (field: string) => wholeNumber(given[field], at(field))
  return {
    id: string(id, at('id')),
    type: string(type, at('type')),
    label: string(label, at('label')),
    aliases: list(aliases, at('aliases')).map((alias, index) =>
      string(alias, `${at('aliases')}[${index}]`),
    ),
    state: oneOf(state, entityStates, at('state')) as EntityState,
    source: oneOf(source, entitySources, at('source')) as EntitySource,
    turnCreated: turn('turnCreated'),
    turnLastRef: turn('turnLastRef'),
    turnUpdated: turn('turnUpdated'),
    since: turn('since'),
    rejected: truth(given['rejected'] ?? false, at('rejected')),
    subdomain: subdomain === null ? null : string(subdomain, at('subdomain')),
    data: json(data, at('data'), 0),
  }
}

function invalid(problem: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', problem)
}

function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`${where} must be an array, got ${describe(value)}`)
  // Holes become undefined, so that they are seen.
  return Array.from(value)
}

function string(value: unknown, where: string): string {
  if (typeof value !== 'string') throw invalid(`${where} must be a string, got ${describe(value)}`)
  return value
}

function truth(value: unknown, where: string): boolean {
  if (typeof value !== 'boolean')
    throw invalid(`${where} must be true or false, got ${describe(value)}`)
  return value
}

function oneOf(value: unknown, known: readonly string[], where: string): string {
  const text = string(value, where)
  if (!known.includes(text))
    throw invalid(`${where} must be ${known.join(', ')}, got ${describe(text)}`)
  return text
}

function wholeNumber(value: unknown, where: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalid(`${where} must be a whole number from 0, got ${describe(value)}`)
  return value
}

/** Deeper values cannot be written as JSON without risking the stack. */
const depthMax = 200

function json(value: unknown, where: string, depth: number): JsonValue {
  if (depth > depthMax) throw invalid(`${where} is nested more than ${depthMax} deep`)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value))
    return list(value, where).map((item, index) => json(item, `${where}[${index}]`, depth + 1))
  if (typeof value !== 'object') throw invalid(`${where} must be JSON, got ${describe(value)}`)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, json(item, `${where}.${key}`, depth + 1)]),
  )
}

/**
 * What is wrong with entities, in words, each with its place: nothing, however many turns were
 * merged, touched and collected. What is shown is looked at too, by what must hold of it and not
 * by how it is chosen.
 */
const entityStates: readonly EntityState[] = ['pending', 'active', 'inactive']
const entitySources: readonly EntitySource[] = ['db_read', 'db_write', 'generate', 'analyze']

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
