/** What the Gemini API wants of tools; those that it runs itself it knows best. */
import type { RequestProblem } from '../../ports/adapter.ts'
import { problemUnless } from '../problem-unless.ts'
import { namedToolProblems, toolListProblems } from '../tool-rules.ts'
import { type Fields, isFields } from '../unknown-json.ts'
import { nameRule } from './part-rules.ts'

type Problems = readonly RequestProblem[]

export function toolsProblems(tools: unknown): Problems {
  const names = new Set<unknown>()
  return toolListProblems(tools, (tool, at) => {
    if (!isFields(tool) || Object.keys(tool).length === 0)
      return [{ rule: 'tools-shape', at, message: 'must be an object with a tool' }]
    const declared = tool['functionDeclarations']
    if (declared === undefined) return []
    if (!Array.isArray(declared) || declared.length === 0)
      return [{ rule: 'tools-shape', at, message: 'must declare a function' }]
    return declared.flatMap((declaration: unknown, place) =>
      functionProblems(declaration, names, `${at}.functionDeclarations[${place}]`),
    )
  })
}

const functionNameRule = {
  ...nameRule,
  says: 'must be 1 to 64 letters, digits, _ . : or -, and begin with a letter or _',
}

function functionProblems(declaration: unknown, names: Set<unknown>, at: string): Problems {
  if (!isFields(declaration)) return [{ rule: 'tools-shape', at, message: 'must be an object' }]
  const { name } = declaration
  const repeated = names.has(name)
  names.add(name)
  return [
    ...problemUnless(!repeated, 'duplicate-tool', `${at}.name`, 'is the name of another function'),
    ...namedToolProblems(declaration, functionNameRule, at),
    ...schemaProblems(declaration, at),
  ]
}

function schemaProblems(declaration: Fields, at: string): Problems {
  const { parameters, parametersJsonSchema: schema } = declaration
  const sound = (value: unknown) => value === undefined || isFields(value)
  return [
    ...problemUnless(
      sound(parameters) && sound(schema),
      'tool-schema',
      at,
      'must have an object for a schema',
    ),
    ...problemUnless(
      parameters === undefined || schema === undefined,
      'tool-schema',
      at,
      'has two schemas for its parameters',
    ),
  ]
}
