/**
 * Tools of the Messages API. A tool that the service runs or defines itself has no
 * schema of ours: it is kept whole.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ToolSchema } from '../../domain/tool-schema.ts'
import { isServiceTool, notedAs, notedFields, noteOf } from '../notes.ts'
import { safeName } from '../safe-name.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'
import { nameRule } from './block-rules.ts'

export function readTool(tool: unknown): readonly ToolSchema[] {
  if (!isFields(tool)) return []
  const { name, description, input_schema: schema, ...rest } = tool
  if (!isFilled(name) || !isFields(schema)) return [wholeTool(tool)]
  const described = typeof description === 'string' ? { description } : {}
  const fields = typeof description === 'string' ? rest : withField(rest, { description })
  return [
    { name, ...described, parameters: schema as JsonObject, ...notedAs('anthropic', {}, fields) },
  ]
}

function withField(fields: Fields, { description }: Fields): Fields {
  return description === undefined ? fields : { ...fields, description }
}

function wholeTool(tool: Fields): ToolSchema {
  const names = [tool['name'], tool['mcp_server_name'], tool['type']]
  return {
    name: names.find(isFilled) ?? 'unknown',
    metadata: { anthropic: { tool: tool as JsonObject } },
  }
}

/** Null for a tool that another service runs. */
export function toolBlock(tool: ToolSchema): JsonObject | null {
  const { name, description, parameters, metadata } = tool
  const note = noteOf(metadata, 'anthropic')
  if (isFields(note['tool'])) return note['tool'] as JsonObject
  if (isServiceTool(tool)) return null
  return {
    ...notedFields(note),
    name: safeName(name, nameRule),
    ...(description === undefined ? {} : { description }),
    input_schema: inputSchema(parameters),
  }
}

/** Other services take a tool without a schema, or a schema without a type. */
function inputSchema(parameters: JsonValue | undefined): JsonValue {
  if (parameters === undefined || parameters === null) return { type: 'object', properties: {} }
  if (!isFields(parameters) || parameters['type'] !== undefined) return parameters
  return { type: 'object', ...(parameters as JsonObject) }
}
