/**
 * The rules of cache breakpoints in the Messages API: `cache_control` on a tool, a block of the
 * system text, a block of a message, or a block inside one.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { RequestProblem } from '../../ports/adapter.ts'
import { type Fields, isFields } from '../unknown-json.ts'

export const marksMax = 4

export interface Mark {
  readonly at: string
  readonly value: unknown
  readonly on: unknown
}

export function cacheProblems(request: {
  readonly system?: unknown
  readonly tools?: unknown
  readonly messages?: unknown
}): readonly RequestProblem[] {
  const messages = Array.isArray(request.messages) ? request.messages : []
  // The order in which the service puts a prompt together.
  return markProblems([
    ...marksIn(request.tools, 'tools'),
    ...marksIn(request.system, 'system'),
    ...messages.flatMap((message, index) =>
      isFields(message) ? marksIn(message['content'], `messages[${index}].content`) : [],
    ),
  ])
}

/** What the service has against these marks, in the order in which they stand. */
export function markProblems(marks: readonly Mark[]): readonly RequestProblem[] {
  const problems = marks.flatMap(({ at, value, on }): RequestProblem[] => {
    if (on === 'thinking' || on === 'redacted_thinking')
      return [{ rule: 'cache-place', at, message: 'cannot stand on a thinking block' }]
    if (lifetimeOf(value) !== null) return []
    return [{ rule: 'cache-shape', at, message: 'must be ephemeral, with a ttl of 5m or 1h' }]
  })
  return [...problems, ...orderProblems(marks), ...countProblems(marks)]
}

function countProblems(marks: readonly Mark[]): readonly RequestProblem[] {
  const [extra] = marks.slice(marksMax)
  if (extra === undefined) return []
  return [{ rule: 'cache-count', at: extra.at, message: `is one of more than ${marksMax}` }]
}

function orderProblems(marks: readonly Mark[]): readonly RequestProblem[] {
  const short = marks.findIndex(({ value }) => lifetimeOf(value) === '5m')
  const late = marks.find(({ value }, index) => index > short && lifetimeOf(value) === '1h')
  if (short < 0 || late === undefined) return []
  return [{ rule: 'cache-order', at: late.at, message: 'lives longer than one before it' }]
}

export function lifetimeOf(value: unknown): '5m' | '1h' | null {
  if (!isFields(value) || value['type'] !== 'ephemeral') return null
  const ttl = value['ttl'] ?? '5m'
  return ttl === '5m' || ttl === '1h' ? ttl : null
}

/** The marks on these blocks and inside them. */
export function marksIn(blocks: unknown, at: string): readonly Mark[] {
  if (!Array.isArray(blocks)) return []
  return blocks.flatMap((block, index): readonly Mark[] => {
    if (!isFields(block)) return []
    const place = `${at}[${index}]`
    const inner = [
      ...marksIn(block['content'], `${place}.content`),
      ...marksIn(sourceContent(block), `${place}.source.content`),
    ]
    const value = block['cache_control']
    if (value === undefined || value === null) return inner
    return [...inner, { at: `${place}.cache_control`, value, on: block['type'] }]
  })
}

function sourceContent({ source }: Fields): unknown {
  return isFields(source) ? source['content'] : undefined
}

/** A block without the marks on it and inside it. */
export function withoutMarks(block: JsonObject): JsonObject {
  const { cache_control: _, ...rest } = block
  const { content, source } = rest
  const inner = Array.isArray(content) ? { content: content.map(unmarked) } : {}
  if (!isFields(source) || !Array.isArray(source['content'])) return { ...rest, ...inner }
  return {
    ...rest,
    ...inner,
    source: { ...(source as JsonObject), content: source['content'].map(unmarked) },
  }
}

function unmarked(value: JsonValue): JsonValue {
  return isFields(value) ? withoutMarks(value as JsonObject) : value
}
