/** What providers want alike of a list of tools, and of the name and the description of each. */
import type { RequestProblem } from '../ports/adapter.ts'
import { problemUnless } from './problem-unless.ts'
import type { NameRule } from './safe-name.ts'
import { type Fields, isFilled } from './unknown-json.ts'

type Problems = readonly RequestProblem[]

/** `each` has the rules for one tool. */
export function toolListProblems(
  tools: unknown,
  each: (tool: unknown, at: string) => Problems,
): Problems {
  if (tools === undefined) return []
  if (!Array.isArray(tools))
    return [{ rule: 'tools-shape', at: 'tools', message: 'must be a list of tools' }]
  if (tools.length === 0)
    return [{ rule: 'tools-empty', at: 'tools', message: 'must hold a tool or be left out' }]
  return tools.flatMap((tool: unknown, index) => each(tool, `tools[${index}]`))
}

/** `says` is the rule for names in words. */
export function namedToolProblems(
  { name, description }: Fields,
  { allowed, lengthMax, says }: NameRule & { readonly says: string },
  at: string,
): Problems {
  return [
    ...problemUnless(
      isFilled(name) && name.length <= lengthMax && allowed.test(name),
      'tool-name',
      `${at}.name`,
      says,
    ),
    ...problemUnless(
      description === undefined || typeof description === 'string',
      'tools-shape',
      `${at}.description`,
      'must be text',
    ),
  ]
}
