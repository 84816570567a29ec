/** Tools in the form of chat completions: a name and a schema inside `function` or `custom`. */
import type { ToolSchema } from '../../domain/tool-schema.ts'
import { isServiceTool } from '../notes.ts'
import { type Fields, fieldsOf, filledText, listOf, otherFields } from '../unknown-json.ts'
import { factsOf, keptFields, noted, wireOf } from './notes.ts'
import { functionName, parametersOf, schemaFields } from './tools.ts'

export function readChatTools(tools: unknown): readonly ToolSchema[] {
  return listOf(tools).flatMap((tool) => {
    const fields = fieldsOf(tool)
    return fields === null ? [] : [readTool(fields)]
  })
}

function readTool(fields: Fields): ToolSchema {
  const kind = fields['type'] === 'custom' ? 'custom' : 'function'
  const inner = fieldsOf(fields[kind])
  const name = filledText(inner?.['name'])
  if (inner === null || name === null) {
    const metadata = noted({ tool: fields }, 'chat', { tool: true })
    return { name: filledText(fields['type']) ?? 'tool', metadata }
  }
  const { known, facts, others } = schemaFields(inner, ['name'])
  const metadata = noted({ ...facts, custom: kind === 'custom' || undefined }, 'chat', {
    extra: otherFields(fields, ['type', kind]),
    inner: others,
  })
  return { name, ...known, metadata }
}

export function writeChatTools(tools: readonly ToolSchema[]): readonly object[] {
  return tools.flatMap((tool) => {
    const facts = factsOf(tool.metadata)
    const wire = wireOf(tool.metadata, 'chat')
    const whole = wire['tool'] === true ? fieldsOf(facts['tool']) : null
    if (whole !== null) return [whole]
    if (isServiceTool(tool)) return []
    const kind = facts['custom'] === true ? 'custom' : 'function'
    const inner = {
      ...keptFields(wire['inner'], ['name', 'description', 'parameters', 'strict']),
      name: functionName(tool.name),
      ...parametersOf(tool, wire['inner']),
    }
    return [{ ...keptFields(wire['extra'], ['type', kind]), type: kind, [kind]: inner }]
  })
}
