/** Calls and responses, and what the service runs itself: each answer has its question. */
import type { RequestProblem } from '../../ports/adapter.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'
import { answeredCalls } from './pairing.ts'

type Problems = readonly RequestProblem[]

interface Placed {
  readonly at: string
  readonly data: Fields
}

export function pairProblems(contents: readonly (readonly unknown[])[]): Problems {
  const ids = new Set<string>()
  const pairs = contents.flatMap((parts, index) => {
    const before = placedIn(contents[index - 1] ?? [], 'functionCall', index - 1)
    const calls = placedIn(parts, 'functionCall', index)
    return [
      ...repeatedIds(calls, ids),
      ...exchangeProblems(before, placedIn(parts, 'functionResponse', index)),
      ...orderProblems(parts, index),
    ]
  })
  const last = contents.length - 1
  // The last content is answered by none; that it is the model's is told of elsewhere.
  const lone = lonePartsIn(contents).map(({ content, part, why }) => ({
    rule: 'server-tool-pair',
    at: `contents[${content}].parts[${part}]`,
    message: why,
  }))
  return [
    ...pairs,
    ...exchangeProblems(placedIn(contents[last] ?? [], 'functionCall', last), []),
    ...lone,
  ]
}

function placedIn(parts: readonly unknown[], field: string, content: number): readonly Placed[] {
  return parts.flatMap((part, index): readonly Placed[] => {
    const data = isFields(part) ? part[field] : undefined
    return isFields(data) ? [{ at: `contents[${content}].parts[${index}]`, data }] : []
  })
}

function repeatedIds(calls: readonly Placed[], ids: Set<string>): Problems {
  return calls.flatMap(({ at, data: { id } }): Problems => {
    if (!isFilled(id)) return []
    const repeated = ids.has(id)
    ids.add(id)
    return repeated
      ? [{ rule: 'duplicate-call', at, message: 'has an id that was used before' }]
      : []
  })
}

function exchangeProblems(calls: readonly Placed[], responses: readonly Placed[]): Problems {
  const answers = answeredCalls(
    calls.map(({ data }) => data),
    responses.map(({ data }) => data),
  )
  const open = calls.filter((_call, index) => !answers.includes(index))
  return [
    ...open.map(({ at }) => ({
      rule: 'call-without-result',
      at,
      message: 'has no response in the next content',
    })),
    ...responses.flatMap(({ at, data }, index): Problems => {
      const call = calls[answers[index] ?? -1]
      if (call === undefined)
        return [{ rule: 'orphan-result', at, message: 'has no call in the content before' }]
      if (call.data['name'] === data['name']) return []
      return [{ rule: 'response-call-name', at, message: 'has another name than its call' }]
    }),
  ]
}

function orderProblems(parts: readonly unknown[], content: number): Problems {
  const isResponse = (part: unknown) => isFields(part) && part['functionResponse'] !== undefined
  const other = parts.findIndex((part) => !isResponse(part))
  const late = parts.findIndex((part, index) => isResponse(part) && index > other)
  if (other < 0 || late < 0) return []
  const at = `contents[${content}].parts[${late}]`
  return [{ rule: 'result-position', at, message: 'must stand before all else' }]
}

export interface LonePart {
  readonly content: number
  readonly part: number
  readonly why: string
}

/** Results of code come behind the code, in its content; those of other tools behind their call. */
export function lonePartsIn(contents: readonly (readonly unknown[])[]): readonly LonePart[] {
  const lone: LonePart[] = []
  const called = new Set<unknown>()
  for (const [content, parts] of contents.entries()) {
    let code = 0
    for (const [index, part] of parts.entries()) {
      if (!isFields(part)) continue
      const { executableCode, codeExecutionResult, toolCall, toolResponse } = part
      if (isFields(executableCode)) code += 1
      if (isFields(toolCall)) called.add(toolCall['id'])
      const result = isFields(codeExecutionResult)
      if (result && code === 0) lone.push({ content, part: index, why: 'has no code before it' })
      if (result && code > 0) code -= 1
      if (isFields(toolResponse) && !called.has(toolResponse['id']))
        lone.push({ content, part: index, why: 'has no call before it' })
    }
  }
  return lone
}
