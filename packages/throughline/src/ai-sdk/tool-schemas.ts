/** What a call holds beside its prompt, as schemas to be counted: tools, and the form of the reply. */
import { isJson, isPlain } from '../adapters/unknown-json.ts'
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
          },
        ]
      : []),
  ]
}

function toolSchemaOf(tool: object): readonly ToolSchema[] {
  if (!isPlain(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') return []
  const { name, description, inputSchema, args } = tool
  // A tool of the provider's own has arguments where others have a schema.
  const parameters = inputSchema ?? args
  return [
    {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(isJson(parameters) ? { parameters } : {}),
    },
  ]
}
