/** Tools in the form of responses: flat, and beside functions those that the service runs itself. */
import type { JsonObject } from '../../domain/json.ts'
import type { ToolSchema } from '../../domain/tool-schema.ts'
import { isServiceTool } from '../notes.ts'
import { type Fields, fieldsOf, filledText, listOf } from '../unknown-json.ts'
import { factsOf, keptFields, noted, wireOf } from './notes.ts'
import { functionName, parametersOf, schemaFields } from './tools.ts'

export function readResponsesTools(tools: unknown): readonly ToolSchema[] {
  return listOf(tools).flatMap((tool) => {
    const fields = fieldsOf(tool)
    return fields === null ? [] : [readTool(fields)]
  })
}

function readTool(fields: Fields): ToolSchema {
  const name = filledText(fields['name'])
  const custom = fields['type'] === 'custom'
  if (name === null || (fields['type'] !== 'function' && !custom)) {
    const label = name ?? filledText(fields['server_label']) ?? filledText(fields['type'])
    return { name: label ?? 'tool', metadata: noted({ tool: fields }, 'responses', { tool: true }) }
  }
  const { known, facts, others } = schemaFields(fields, ['type', 'name'])
  const metadata = noted({ ...facts, custom: custom || undefined }, 'responses', {
    read: true,
    extra: others,
  })
  return { name, ...known, metadata }
}

export function writeResponsesTools(tools: readonly ToolSchema[]): readonly object[] {
  return tools.flatMap((tool) => {
    const wire = wireOf(tool.metadata, 'responses')
    const facts = factsOf(tool.metadata)
    const whole = wire['tool'] === true ? fieldsOf(facts['tool']) : null
    if (whole !== null) return [whole]
    if (isServiceTool(tool)) return []
    const custom = facts['custom'] === true
    const plain = wire['read'] !== true && !custom
    return [
      {
        ...keptFields(wire['extra'], ['type', 'name', 'description', 'parameters', 'strict']),
        type: custom ? 'custom' : 'function',
        name: functionName(tool.name),
        ...(plain ? functionDefaults : {}),
        ...parametersOf(tool, wire['extra']),
      },
    ]
  })
}

/** Functions are strict here when nothing is said; elsewhere they are not. */
const functionDefaults: JsonObject = {
  parameters: { type: 'object', properties: {} },
  strict: false,
}
