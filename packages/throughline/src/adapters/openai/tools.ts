/** What a function's definition holds in both of OpenAI's formats. */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ToolSchema } from '../../domain/tool-schema.ts'
import { safeName } from '../safe-name.ts'
import { type Fields, fieldsOf, otherFields } from '../unknown-json.ts'
import { factsOf } from './notes.ts'

export const functionNamePattern = /^[a-zA-Z0-9_-]+$/
export const functionNameMax = 64

export function functionName(name: string): string {
  return safeName(name, { allowed: functionNamePattern, lengthMax: functionNameMax })
}

/** Ids have no pattern, only a length; half surrogate pairs would be mended to the same text. */
export function callId(id: string, lengthMax: number): string {
  return safeName(id, { allowed: /^\P{Cs}+$/u, lengthMax })
}

interface SchemaFields {
  readonly known: Pick<ToolSchema, 'description' | 'parameters'>
  /** Both formats know `strict`, with other defaults. */
  readonly facts: Fields
  readonly others: JsonObject | undefined
}

export function schemaFields(fields: Fields, read: readonly string[]): SchemaFields {
  const { description, parameters, strict } = fields
  const described = typeof description === 'string'
  const schemed = fieldsOf(parameters) !== null
  const switched = typeof strict === 'boolean'
  return {
    known: {
      ...(described ? { description } : {}),
      // A border: the body of a request is JSON.
      ...(schemed ? { parameters: parameters as JsonObject } : {}),
    },
    facts: switched ? { strict } : {},
    others: otherFields(fields, [
      ...read,
      ...(described ? ['description'] : []),
      ...(schemed ? ['parameters'] : []),
      ...(switched ? ['strict'] : []),
    ]),
  }
}

/** The fields of a definition; `kept` holds those that were read as something that we do not know. */
export function parametersOf(tool: ToolSchema, kept: unknown): JsonObject {
  const { strict, custom } = factsOf(tool.metadata)
  const nulls = Object.fromEntries(
    ['description', 'parameters', 'strict']
      .filter((name) => fieldsOf(kept)?.[name] === null)
      .map((name) => [name, null]),
  )
  return {
    ...nulls,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(tool.parameters === undefined || custom === true
      ? {}
      : { parameters: objectSchema(tool.parameters) }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

/** OpenAI wants it said that there are no properties; the meaning stays the same. */
function objectSchema(schema: JsonValue): JsonValue {
  const fields = fieldsOf(schema)
  if (fields === null || (fields['type'] !== undefined && fields['type'] !== 'object'))
    return schema
  if (fields['type'] === 'object' && fields['properties'] !== undefined) return schema
  return { properties: {}, ...(schema as JsonObject), type: 'object' }
}
