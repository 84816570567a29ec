/**
 * What a call holds beside its prompt, as schemas to be counted: tools, and the form of the
 * reply. What a tool has besides is noted, so that it can be written as it was.
 */
import { isJson, isPlain, otherFields } from '../adapters/unknown-json.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ToolSchema } from '../domain/tool-schema.ts'
import type { CallParams } from './call.ts'

export function toolSchemasOf({
  tools,
  responseFormat,
}: Pick<CallParams, 'tools' | 'responseFormat'>): readonly ToolSchema[] {
  const format = { ...responseFormat } as { readonly name?: unknown; readonly schema?: unknown }
  return [
    ...(tools ?? []).flatMap(toolSchemaOf),
    // Providers put the schema of the reply before the model as they do those of tools.
    ...(isJson(format.schema)
      ? [
          {
            name: typeof format.name === 'string' ? format.name : 'response',
            parameters: format.schema,
            ...noted({ type: formOfReply }),
          },
        ]
      : []),
  ]
}

/** As they stand in a call; null where one of them is the form of the reply. */
export function callTools(schemas: readonly ToolSchema[]): readonly object[] | null {
  const tools = schemas.map(callTool)
  return tools.some(({ type }) => type === formOfReply) ? null : tools
}

const formOfReply = 'response-format'
const noteName = 'ai-sdk'

function noted(note: JsonObject | undefined): Pick<ToolSchema, 'metadata'> {
  return note === undefined ? {} : { metadata: { [noteName]: note } }
}

const countedFields = ['name', 'description', 'inputSchema', 'args']

function toolSchemaOf(tool: object): readonly ToolSchema[] {
  if (!isPlain(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') return []
  const { name, description, inputSchema, args, type } = tool
  // A tool of the provider's own has arguments where others have a schema.
  const parameters = inputSchema ?? args
  const others = otherFields(tool, [...countedFields, ...(type === 'function' ? ['type'] : [])])
  return [
    {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(isJson(parameters) ? { parameters } : {}),
      ...(isJson(others) ? noted(others) : {}),
    },
  ]
}

function callTool({ name, description, parameters = {}, metadata }: ToolSchema) {
  const note = metadata?.[noteName]
  const { type, ...others }: { readonly type?: unknown } = isPlain(note) ? note : {}
  const told = description === undefined ? {} : { description }
  return type === undefined
    ? { type: 'function', name, ...told, inputSchema: parameters, ...others }
    : { type, name, ...told, args: parameters, ...others }
}
