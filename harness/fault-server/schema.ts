/**
 * What services refuse in the schema of an answer: they take a part of JSON Schema only, and
 * a schema that works with one of them is refused by the other.
 */

import type { RequestProblem } from 'throughline'
import {
  depthMax,
  type Fields,
  fieldsOf,
  isFields,
} from '../../packages/throughline/src/adapters/unknown-json.ts'

export interface SchemaDialect {
  readonly refused: readonly string[]
  /** Whether each property has to be required. */
  readonly properties: 'all-required' | 'as-told'
}

export const openaiStrict: SchemaDialect = {
  refused: ['minLength', 'maxLength', 'allOf', 'not', 'if', 'patternProperties', 'uniqueItems'],
  properties: 'all-required',
}

export const anthropicFormat: SchemaDialect = {
  refused: [
    ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    ...['multipleOf', 'maxItems', 'uniqueItems', 'not', 'if', 'patternProperties'],
  ],
  properties: 'as-told',
}

export function answerSchemaProblems(
  schema: unknown,
  at: string,
  dialect: SchemaDialect,
): readonly RequestProblem[] {
  const fields = fieldsOf(schema)
  if (fields === null || fields['type'] !== 'object')
    return [{ rule: 'answer-schema', at, message: 'must be a JSON schema whose type is object' }]
  return schemaFlaws(fields, at, dialect, 0).map((flaw) => ({ rule: 'answer-schema', ...flaw }))
}

type Flaw = Omit<RequestProblem, 'rule'>

function schemaFlaws(
  schema: Fields,
  at: string,
  dialect: SchemaDialect,
  depth: number,
): readonly Flaw[] {
  if (depth > depthMax) return [{ at, message: 'is nested too deeply' }]
  const refused = dialect.refused
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => ({ at: `${at}.${keyword}`, message: 'is not permitted' }))
  const inner = innerSchemas(schema).flatMap(([place, value]) =>
    schemaFlaws(value, `${at}.${place}`, dialect, depth + 1),
  )
  return [...refused, ...objectFlaws(schema, at, dialect), ...inner]
}

function objectFlaws(schema: Fields, at: string, { properties }: SchemaDialect): readonly Flaw[] {
  if (schema['type'] !== 'object') return []
  const open = schema['additionalProperties'] !== false
  const required: unknown = schema['required']
  const optional = Object.keys(fieldsOf(schema['properties']) ?? {}).filter(
    (name) => !Array.isArray(required) || !required.includes(name),
  )
  return [
    ...(open ? [{ at, message: 'must have additionalProperties, and it must be false' }] : []),
    ...(properties === 'all-required' && optional.length > 0
      ? [{ at, message: `must require every property, also ${optional.join(', ')}` }]
      : []),
  ]
}

function innerSchemas(schema: Fields): readonly (readonly [string, Fields])[] {
  const maps = ['properties', '$defs', 'definitions'].flatMap((field) =>
    Object.entries(fieldsOf(schema[field]) ?? {}).map(
      ([name, value]) => [`${field}.${name}`, value] as const,
    ),
  )
  const lists = ['anyOf', 'oneOf', 'allOf'].flatMap((field) => {
    const list: unknown = schema[field]
    if (!Array.isArray(list)) return []
    return list.map((value: unknown, index) => [`${field}[${index}]`, value] as const)
  })
  const all: readonly (readonly [string, unknown])[] = [
    ...maps,
    ...lists,
    ['items', schema['items']],
  ]
  return all.filter((entry): entry is readonly [string, Fields] => isFields(entry[1]))
}
