/**
 * Tools of both OpenAI formats. Chat completions nest name and schema in `function` or `custom`; responses
 * have them at the top level, and also have tools that the service runs itself.
 */
import type { ToolSchema } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { isServiceTool } from '../extra-fields.ts'
import { type NameRule, safeName } from '../safe-name.ts'
import { type Fields, fieldsOf, filledText, listOf, otherFields } from '../unknown-json.ts'
import {
  keptFields,
  type OpenaiFormat,
  openaiMetadata,
  sharedDetails,
  wireDetails,
} from './extra-fields.ts'

export const functionNameRule: NameRule = { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 }

export function functionName(name: string): string {
  return safeName(name, functionNameRule)
}

/** Ids have a length but no pattern. `wellFormed` would turn different lone surrogates into the same text. */
export function safeCallId(id: string, maxLength: number): string {
  return safeName(id, { pattern: /^\P{Cs}+$/u, maxLength })
}

export function readTools(tools: unknown, format: OpenaiFormat): readonly ToolSchema[] {
  return listOf(tools).flatMap((tool) => {
    const fields = fieldsOf(tool)
    return fields === null ? [] : [readTool(fields, format)]
  })
}

function readTool(fields: Fields, format: OpenaiFormat): ToolSchema {
  const kind = fields['type'] === 'custom' ? 'custom' : 'function'
  const inner = format === 'chat' ? fieldsOf(fields[kind]) : fields['type'] === kind ? fields : null
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
  const strictness = typeof strict === 'boolean' ? { strict } : {}
  const shared = { ...strictness, custom: kind === 'custom' || undefined }
  const known = ['name', ...Object.keys(schema), ...Object.keys(strictness)]
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
    const asRead = wire['tool'] === true ? fieldsOf(shared['tool']) : null
    if (asRead !== null) return [asRead]
    if (isServiceTool(tool)) return []
    const type = shared['custom'] === true ? 'custom' : 'function'
    const name = functionName(tool.name)
    if (format === 'chat') {
      const { inner, extra } = wire
      const body = { ...keptFields(inner, schemaFields), name, ...schemaOf(tool, inner) }
      return [{ ...keptFields(extra, ['type', type]), type, [type]: body }]
    }
    const { extra } = wire
    const defaults = wire['read'] !== true && type === 'function' ? functionDefaults : {}
    const kept = keptFields(extra, ['type', ...schemaFields])
    return [{ ...kept, type, name, ...defaults, ...schemaOf(tool, extra) }]
  })
}

const schemaFields = ['name', 'description', 'parameters', 'strict']

/** Functions of responses are strict by default; elsewhere they are not. */
const functionDefaults: JsonObject = {
  parameters: { type: 'object', properties: {} },
  strict: false,
}

/** Fields that were null when they were read (in `extra`) are null again, unless the tool has a value. */
function schemaOf(tool: ToolSchema, extra: unknown): JsonObject {
  const { strict, custom } = sharedDetails(tool.metadata)
  return {
    ...nullFields(extra, ['description', 'parameters', 'strict']),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(tool.parameters === undefined || custom === true
      ? {}
      : { parameters: objectSchema(tool.parameters) }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

export function nullFields(extra: unknown, names: readonly string[]): JsonObject {
  const nullNames = names.filter((name) => fieldsOf(extra)?.[name] === null)
  return Object.fromEntries(nullNames.map((name) => [name, null]))
}

/** OpenAI requires `properties` even if there are none. */
function objectSchema(schema: JsonValue): JsonValue {
  const fields = fieldsOf(schema)
  if (fields === null || (fields['type'] !== undefined && fields['type'] !== 'object'))
    return schema
  if (fields['type'] === 'object' && fields['properties'] !== undefined) return schema
  return { properties: {}, ...(schema as JsonObject), type: 'object' }
}
