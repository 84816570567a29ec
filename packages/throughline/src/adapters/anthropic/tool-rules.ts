/** What the Messages API wants of tools; those that it defines itself it knows best. */
import type { RequestProblem } from '../../ports/adapter.ts'
import { problemUnless } from '../problem-unless.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'
import { nameRule } from './block-rules.ts'

type Problems = readonly RequestProblem[]

export function toolsProblems(tools: unknown): Problems {
  if (tools === undefined) return []
  if (!Array.isArray(tools))
    return [{ rule: 'tools-shape', at: 'tools', message: 'must be a list of tools' }]
  if (tools.length === 0)
    return [{ rule: 'tools-empty', at: 'tools', message: 'must hold a tool or be left out' }]
  const names = tools.map((tool: unknown) => (isFields(tool) ? tool['name'] : undefined))
  return tools.flatMap((tool: unknown, index): Problems => {
    const at = `tools[${index}]`
    if (!isFields(tool)) return [{ rule: 'tools-shape', at, message: 'must be an object' }]
    const repeated = names[index] !== undefined && names.indexOf(names[index]) < index
    return [
      ...problemUnless(!repeated, 'duplicate-tool', `${at}.name`, 'is the name of another tool'),
      ...toolProblems(tool, at),
    ]
  })
}

function toolProblems(tool: Fields, at: string): Problems {
  const { type, name, description, input_schema: schema } = tool
  const ours = type === undefined || type === null || type === 'custom'
  if (!ours)
    return problemUnless(isFilled(type), 'tools-shape', `${at}.type`, 'must be the name of a kind')
  const { allowed, lengthMax } = nameRule
  return [
    ...problemUnless(
      isFilled(name) && name.length <= lengthMax && allowed.test(name),
      'tool-name',
      `${at}.name`,
      'must be 1 to 128 letters, digits, _ or -',
    ),
    ...problemUnless(
      description === undefined || typeof description === 'string',
      'tools-shape',
      `${at}.description`,
      'must be text',
    ),
    ...schemaProblems(schema, `${at}.input_schema`),
  ]
}

function schemaProblems(schema: unknown, at: string): Problems {
  if (!isFields(schema) || schema['type'] !== 'object')
    return [{ rule: 'tool-schema', at, message: 'must be a JSON schema of type object' }]
  return ['oneOf', 'allOf', 'anyOf'].flatMap((word) =>
    problemUnless(!(word in schema), 'tool-schema', `${at}.${word}`, 'cannot stand at the top'),
  )
}
