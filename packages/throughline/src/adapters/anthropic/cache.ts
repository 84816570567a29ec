/**
 * The rules of cache breakpoints in the Messages API: `cache_control` on a tool, a block of the
 * system text, a block of a message, or a block inside one.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Report } from '../rules.ts'
import { type Fields, isFields, listOf } from '../unknown-json.ts'

export const marksMax = 4

export interface Mark {
  readonly at: string
  readonly value: unknown
  readonly on: unknown
}

/** In the order in which the service puts a prompt together. */
export function marksInRequest({ tools, system, messages }: Fields): readonly Mark[] {
  return [
    ...marksIn(tools, 'tools'),
    ...marksIn(system, 'system'),
    ...listOf(messages).flatMap((message, index) =>
      isFields(message) ? marksIn(message['content'], `messages[${index}].content`) : [],
    ),
  ]
}

/** What the service has against these marks, in the order in which they stand. */
export function checkMarks(marks: readonly Mark[], report: Report): void {
  for (const { at, value, on } of marks)
    if (on === 'thinking' || on === 'redacted_thinking')
      report('cache-place', at, 'cannot stand on a thinking block')
    else if (lifetimeOf(value) === null)
      report('cache-shape', at, 'must be ephemeral, with a ttl of 5m or 1h')
  const short = marks.findIndex(({ value }) => lifetimeOf(value) === '5m')
  const late = marks.find(({ value }, index) => index > short && lifetimeOf(value) === '1h')
  if (short >= 0 && late !== undefined)
    report('cache-order', late.at, 'lives longer than one before it')
  const extra = marks[marksMax]
  if (extra !== undefined) report('cache-count', extra.at, `is one of more than ${marksMax}`)
}

export function lifetimeOf(value: unknown): '5m' | '1h' | null {
  if (!isFields(value) || value['type'] !== 'ephemeral') return null
  const ttl = value['ttl'] ?? '5m'
  return ttl === '5m' || ttl === '1h' ? ttl : null
}

/** The marks on these blocks and inside them. */
export function marksIn(blocks: unknown, at: string): readonly Mark[] {
  return listOf(blocks).flatMap((block, index): readonly Mark[] => {
    if (!isFields(block)) return []
    const place = `${at}[${index}]`
    const { content, source, type, cache_control: value } = block
    const inner = [
      ...marksIn(content, `${place}.content`),
      ...marksIn(isFields(source) ? source['content'] : undefined, `${place}.source.content`),
    ]
    if (value === undefined || value === null) return inner
    return [...inner, { at: `${place}.cache_control`, value, on: type }]
  })
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
