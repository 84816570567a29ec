/**
 * Tools of both OpenAI formats. Chat completions nest name and schema in `function` or `custom`; responses
 * have them at the top level, and also have tools that the service runs itself.
 */
import type { ToolSchema } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { isServiceTool } from '../extra-fields.ts'
import { safeName } from '../safe-name.ts'
import {
  type Fields,
  fieldsOf,
  filledText,
  isFields,
  listOf,
  otherFields,
} from '../unknown-json.ts'
import {
  keptFields,
  type OpenaiFormat,
  openaiMetadata,
  sharedDetails,
  wireDetails,
} from './extra-fields.ts'

export const functionNamePattern = /^[a-zA-Z0-9_-]+$/
export const functionNameMax = 64

export function functionName(name: string): string {
  return safeName(name, { allowed: functionNamePattern, lengthMax: functionNameMax })
}

/** Ids have a length but no pattern. `wellFormed` would turn different lone surrogates into the same text. */
export function callId(id: string, lengthMax: number): string {
  return safeName(id, { allowed: /^\P{Cs}+$/u, lengthMax })
}

export function readTools(tools: unknown, format: OpenaiFormat): readonly ToolSchema[] {
  return listOf(tools)
    .filter(isFields)
    .map((tool) => readTool(tool, format))
}

function readTool(fields: Fields, format: OpenaiFormat): ToolSchema {
  const kind = fields['type'] === 'custom' ? 'custom' : 'function'
  const flat = fields['type'] === kind ? fields : null
  const inner = format === 'chat' ? fieldsOf(fields[kind]) : flat
  const name = filledText(inner?.['name'])
  if (inner === null || name === null) {
    const labels = format === 'chat' ? ['type'] : ['name', 'server_label', 'type']
    const [label = 'tool'] = labels.flatMap((field) => filledText(fields[field]) ?? [])
    return { name: label, metadata: openaiMetadata({ tool: fields }, format, { tool: true }) }
  }
  const { description, parameters, strict } = inner
  const schema = {
    ...(typeof description === 'string' ? { description } : {}),
    // The body of a request is JSON.
    ...(fieldsOf(parameters) === null ? {} : { parameters: parameters as JsonObject }),
  }
  // Both formats have `strict`, with different defaults.
  const switched = typeof strict === 'boolean' ? { strict } : {}
  const shared = { ...switched, custom: kind === 'custom' || undefined }
  const known = ['name', ...Object.keys(schema), ...Object.keys(switched)]
  const wire =
    format === 'chat'
      ? { extra: otherFields(fields, ['type', kind]), inner: otherFields(inner, known) }
      : { read: true, extra: otherFields(inner, ['type', ...known]) }
  return { name, ...schema, metadata: openaiMetadata(shared, format, wire) }
}

export function writeTools(tools: readonly ToolSchema[], format: OpenaiFormat): readonly object[] {
  return tools.flatMap((tool) => {
    const shared = sharedDetails(tool.metadata)
    const wire = wireDetails(tool.metadata, format)
    const whole = wire['tool'] === true ? fieldsOf(shared['tool']) : null
    if (whole !== null) return [whole]
    if (isServiceTool(tool)) return []
    const type = shared['custom'] === true ? 'custom' : 'function'
    const name = functionName(tool.name)
    if (format === 'chat') {
      const { inner, extra } = wire
      const body = { ...keptFields(inner, schemaFields), name, ...parametersOf(tool, inner) }
      return [{ ...keptFields(extra, ['type', type]), type, [type]: body }]
    }
    const { extra } = wire
    const defaults = wire['read'] !== true && type === 'function' ? functionDefaults : {}
    const kept = keptFields(extra, ['type', ...schemaFields])
    return [{ ...kept, type, name, ...defaults, ...parametersOf(tool, extra) }]
  })
}

const schemaFields = ['name', 'description', 'parameters', 'strict']

/** Functions of responses are strict by default; elsewhere they are not. */
const functionDefaults: JsonObject = {
  parameters: { type: 'object', properties: {} },
  strict: false,
}

/** `kept` has the unknown fields that were read. */
function parametersOf(tool: ToolSchema, kept: unknown): JsonObject {
  const { strict, custom } = sharedDetails(tool.metadata)
  return {
    ...nullFields(kept, ['description', 'parameters', 'strict']),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(tool.parameters === undefined || custom === true
      ? {}
      : { parameters: objectSchema(tool.parameters) }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

export function nullFields(kept: unknown, names: readonly string[]): JsonObject {
  const none = names.filter((name) => fieldsOf(kept)?.[name] === null)
  return Object.fromEntries(none.map((name) => [name, null]))
}

/** OpenAI requires `properties` even if there are none. */
function objectSchema(schema: JsonValue): JsonValue {
  const fields = fieldsOf(schema)
  if (fields === null || (fields['type'] !== undefined && fields['type'] !== 'object'))
    return schema
  if (fields['type'] === 'object' && fields['properties'] !== undefined) return schema
  return { properties: {}, ...(schema as JsonObject), type: 'object' }
}
