/** Rules for tools, and for the names and ids of calls, that both of OpenAI's formats share. */
import type { RequestProblem } from '../../ports/adapter.ts'
import { type Fields, fieldsOf } from '../unknown-json.ts'
import { problem } from './rules.ts'
import { functionNameMax, functionNamePattern } from './tools.ts'

const toolsMax = 128

export function* functionNameProblems(name: unknown, at: string): Generator<RequestProblem> {
  if (typeof name !== 'string' || !functionNamePattern.test(name) || name.length > functionNameMax)
    yield problem(
      'function-name',
      at,
      `must be 1 to ${functionNameMax} letters, digits, _ and -, got ${JSON.stringify(name)}`,
    )
}

export function* callIdProblems(
  id: unknown,
  at: string,
  lengthMax: number,
): Generator<RequestProblem> {
  if (typeof id !== 'string' || id === '' || id.length > lengthMax)
    yield problem('call-id', at, `must be text of 1 to ${lengthMax} characters`)
}

/** `each` has the rules for one tool. */
export function* toolsProblems(
  tools: unknown,
  each: (tool: Fields, at: string) => Iterable<RequestProblem>,
): Generator<RequestProblem> {
  if (tools === undefined) return
  if (!Array.isArray(tools) || tools.length === 0) {
    yield problem('tools', 'tools', 'must be an array that is not empty, or be left out')
    return
  }
  if (tools.length > toolsMax) yield problem('tools', 'tools', `must be at most ${toolsMax}`)
  for (const [index, tool] of tools.entries()) {
    const fields = fieldsOf(tool)
    if (fields === null) yield problem('tool', `tools[${index}]`, 'must be an object')
    else yield* each(fields, `tools[${index}]`)
  }
}

const refusedKeywords = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']

/** `parameters` of a function: a schema of an object, told as one at its top. */
export function* schemaProblems(schema: unknown, at: string): Generator<RequestProblem> {
  if (schema === undefined || schema === null) return
  const fields = fieldsOf(schema)
  if (fields === null || fields['type'] !== 'object') {
    yield problem('tool-schema', at, 'must be a JSON schema whose type is object')
    return
  }
  if (fieldsOf(fields['properties']) === null)
    yield problem('tool-schema', at, 'must have properties')
  const refused = refusedKeywords.filter((keyword) => fields[keyword] !== undefined)
  if (refused.length > 0)
    yield problem('tool-schema', at, `must not have ${refused.join(', ')} at its top`)
}
