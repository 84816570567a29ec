/**
 * Tools of the Gemini API: entries of a list, each with functions and perhaps tools of
 * the service. Functions become tools of ours and remember their entry; what else an
 * entry holds is kept whole.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ToolSchema } from '../../domain/tool-schema.ts'
import { firstOfName } from '../first-of-name.ts'
import { notedAs, notedFields, noteOf } from '../notes.ts'
import { safeName } from '../safe-name.ts'
import { isServiceTool } from '../service-tool.ts'
import { depthMax, type Fields, isFields, isFilled } from '../unknown-json.ts'
import { nameRule } from './part-rules.ts'

export function readTools(tools: readonly unknown[]): readonly ToolSchema[] {
  return tools.flatMap((tool, entry): readonly ToolSchema[] => {
    if (!isFields(tool)) return []
    const { functionDeclarations, ...rest } = tool
    const declared = Array.isArray(functionDeclarations) ? functionDeclarations : []
    const functions = declared.filter(isFields).map((fields) => readFunction(fields, entry))
    const [name] = Object.keys(rest)
    if (name === undefined) return functions
    const whole = { google: { entry, tool: rest as JsonObject } }
    return [...functions, { name, metadata: whole }]
  })
}

function readFunction(declaration: Fields, entry: number): ToolSchema {
  const { name, description, ...rest } = declaration
  const described = typeof description === 'string'
  const schema = rest['parametersJsonSchema'] ?? rest['parameters']
  const fields = described || description === undefined ? rest : { ...rest, description }
  return {
    name: isFilled(name) ? name : 'unknown',
    ...(described ? { description } : {}),
    ...(schema === undefined ? {} : { parameters: jsonSchema(schema as JsonValue, 0) }),
    ...notedAs('google', { entry }, fields),
  }
}

const schemaTypes = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']

/** The service spells types in capitals; all others read them as JSON schema has them. */
function jsonSchema(schema: JsonValue, depth: number): JsonValue {
  if (depth > depthMax || typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((item) => jsonSchema(item, depth + 1))
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'type' && typeof value === 'string' && schemaTypes.includes(value))
        return [key, value.toLowerCase()]
      // Examples and constants are data, whatever they look like.
      const data = ['default', 'example', 'enum', 'const', 'required'].includes(key)
      return [key, data ? value : jsonSchema(value, depth + 1)]
    }),
  )
}

export function toolEntries(tools: readonly ToolSchema[]): readonly JsonObject[] {
  const known = firstOfName(
    tools.filter((tool) => wholeOf(tool) !== null || !isServiceTool(tool)),
    (tool) => (wholeOf(tool) === null ? safeName(tool.name, nameRule) : undefined),
  )
  const home = known.map(entryOf).find((entry, index) => entry !== null && !wholeOf(known[index]))
  const entries = new Map<number, JsonObject>()
  for (const tool of known) {
    // Functions of others join those that are there: several lists of them are refused.
    const entry = entryOf(tool) ?? home ?? -1
    const before = entries.get(entry) ?? {}
    const whole = wholeOf(tool)
    const declared = before['functionDeclarations']
    const functions = Array.isArray(declared) ? declared : []
    entries.set(
      entry,
      whole === null
        ? { ...before, functionDeclarations: [...functions, declaration(tool)] }
        : { ...before, ...whole },
    )
  }
  return [...entries].sort(([left], [right]) => left - right).map(([, entry]) => entry)
}

function entryOf({ metadata }: ToolSchema): number | null {
  const { entry } = noteOf(metadata, 'google')
  return typeof entry === 'number' && Number.isSafeInteger(entry) && entry >= 0 ? entry : null
}

function wholeOf(tool: ToolSchema | undefined): JsonObject | null {
  const whole = noteOf(tool?.metadata, 'google')['tool']
  return isFields(whole) ? (whole as JsonObject) : null
}

function declaration({ name, description, parameters, metadata }: ToolSchema): JsonObject {
  const fields = notedFields(noteOf(metadata, 'google'))
  const told = 'parameters' in fields || 'parametersJsonSchema' in fields
  return {
    ...fields,
    name: safeName(name, nameRule),
    ...(description === undefined ? {} : { description }),
    ...(told || parameters === undefined || parameters === null
      ? {}
      : { parametersJsonSchema: parameters }),
  }
}
