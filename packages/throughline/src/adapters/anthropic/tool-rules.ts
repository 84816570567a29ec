/** What the Messages API wants of tools; those that it defines itself it knows best. */
import type { RequestProblem } from '../../ports/adapter.ts'
import { problemUnless } from '../problem-unless.ts'
import { namedToolProblems, toolListProblems } from '../tool-rules.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'
import { nameRule } from './block-rules.ts'

type Problems = readonly RequestProblem[]

export function toolsProblems(tools: unknown): Problems {
  const names = new Set<unknown>()
  return toolListProblems(tools, (tool, at) => {
    if (!isFields(tool)) return [{ rule: 'tools-shape', at, message: 'must be an object' }]
    const { name } = tool
    const repeated = name !== undefined && names.has(name)
    names.add(name)
    return [
      ...problemUnless(!repeated, 'duplicate-tool', `${at}.name`, 'is the name of another tool'),
      ...toolProblems(tool, at),
    ]
  })
}

const toolNameRule = { ...nameRule, says: 'must be 1 to 128 letters, digits, _ or -' }

function toolProblems(tool: Fields, at: string): Problems {
  const { type, input_schema: schema } = tool
  const ours = type === undefined || type === null || type === 'custom'
  if (!ours)
    return problemUnless(isFilled(type), 'tools-shape', `${at}.type`, 'must be the name of a kind')
  return [
    ...namedToolProblems(tool, toolNameRule, at),
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
