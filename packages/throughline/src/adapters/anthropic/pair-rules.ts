/**
 * Calls and results: every call is answered in the next message, first thing; nothing
 * else is answered; a call ends what its message says.
 */
import type { RequestProblem } from '../../ports/adapter.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'
import { isServerCall, serverToolFlaws } from './server-tools.ts'

interface Placed {
  readonly at: string
  readonly block: Fields
}

export function pairProblems(messages: readonly Fields[]): readonly RequestProblem[] {
  const problems: RequestProblem[] = []
  const called = new Set<unknown>()
  let before: readonly Placed[] = []
  for (const [index, { content }] of messages.entries()) {
    const blocks = placed(content, `messages[${index}].content`)
    const next = placed(messages[index + 1]?.['content'], '')
    for (const found of [
      callProblems(blocks, next, called),
      resultProblems(blocks, before),
      orderProblems(blocks),
    ])
      for (const problem of found) problems.push(problem)
    before = blocks
  }
  const lone = serverToolFlaws(messages.map(({ role, content }) => ({ role, content })))
  return [
    ...problems,
    ...lone.map(({ message, block, why }) => ({
      rule: 'server-tool-pair',
      at: `messages[${message}].content[${block}]`,
      message: why,
    })),
  ]
}

function placed(content: unknown, at: string): readonly Placed[] {
  if (!Array.isArray(content)) return []
  return content.map((block: unknown, index) => ({
    at: `${at}[${index}]`,
    block: isFields(block) ? block : {},
  }))
}

function callProblems(
  blocks: readonly Placed[],
  next: readonly Placed[],
  called: Set<unknown>,
): readonly RequestProblem[] {
  const answered = new Set(next.filter(isResult).map(({ block }) => block['tool_use_id']))
  return blocks.filter(isCall).flatMap(({ at, block }): RequestProblem[] => {
    const { id } = block
    // An id that is none is told of elsewhere.
    if (!isFilled(id)) return []
    const repeated = called.has(id)
    called.add(id)
    if (repeated) return [{ rule: 'duplicate-call', at, message: 'has an id that was used before' }]
    if (answered.has(id)) return []
    return [{ rule: 'call-without-result', at, message: 'has no result in the next message' }]
  })
}

function resultProblems(
  blocks: readonly Placed[],
  before: readonly Placed[],
): readonly RequestProblem[] {
  const calls = new Set(before.filter(isCall).map(({ block }) => block['id']))
  const seen = new Set<unknown>()
  return blocks.filter(isResult).flatMap(({ at, block }): RequestProblem[] => {
    const id = block['tool_use_id']
    if (!isFilled(id)) return []
    const repeated = seen.has(id)
    seen.add(id)
    if (repeated) return [{ rule: 'duplicate-result', at, message: 'answers a call again' }]
    if (calls.has(id)) return []
    return [{ rule: 'orphan-result', at, message: 'has no call in the message before' }]
  })
}

function orderProblems(blocks: readonly Placed[]): readonly RequestProblem[] {
  const firstOther = blocks.findIndex((placed) => !isResult(placed))
  const late = blocks.find((placed, index) => isResult(placed) && index > firstOther)
  const firstCall = blocks.findIndex(isCall)
  const said = blocks.find(
    ({ block }, index) =>
      index > firstCall && block['type'] !== 'tool_use' && !isServerCall(block['type']),
  )
  return [
    ...(firstOther >= 0 && late !== undefined
      ? [{ rule: 'result-position', at: late.at, message: 'must stand before all else' }]
      : []),
    ...(firstCall >= 0 && said !== undefined
      ? [{ rule: 'call-position', at: said.at, message: 'cannot stand behind a call' }]
      : []),
  ]
}

function isCall({ block }: Placed): boolean {
  return block['type'] === 'tool_use'
}

function isResult({ block }: Placed): boolean {
  return block['type'] === 'tool_result'
}
