/**
 * Cache breakpoints of the Messages API (`cache_control`, here: marks): its rules, and where we set them,
 * at the end of stable prefixes. The service allows four. Unknown blocks keep their own marks, and each
 * of those leaves one fewer for us.
 */
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Part } from '../../domain/message.ts'
import type { Turn, TurnItem } from '../paired-turns.ts'
import type { OutputPart } from '../plain-text.ts'
import { isValid, type Report } from '../rules.ts'
import { type Fields, isFields, listOf, ownBlock } from '../unknown-json.ts'

const marksMax = 4

interface Mark {
  readonly at: string
  readonly value: unknown
  readonly on: unknown
}

/** In the order in which the service assembles a prompt. */
export function marksInRequest({ tools, system, messages }: Fields): readonly Mark[] {
  const inMessages = listOf(messages).flatMap((message, index) =>
    isFields(message) ? marksIn(message['content'], `messages[${index}].content`) : [],
  )
  return [...marksIn(tools, 'tools'), ...marksIn(system, 'system'), ...inMessages]
}

export function checkMarks(marks: readonly Mark[], _: string, report: Report): void {
  for (const { at, value, on } of marks)
    if (on === 'thinking' || on === 'redacted_thinking')
      report('cache-place', at, 'is not allowed on a thinking block')
    else if (lifetimeOf(value) === null)
      report('cache-shape', at, 'must be ephemeral, with a ttl of 5m or 1h')
  const short = marks.findIndex(({ value }) => lifetimeOf(value) === '5m')
  const late = marks.find(({ value }, index) => index > short && lifetimeOf(value) === '1h')
  if (short >= 0 && late !== undefined)
    report('cache-order', late.at, 'has a longer ttl than one before it')
  const extra = marks[marksMax]
  if (extra !== undefined) report('cache-count', extra.at, `is one of more than ${marksMax}`)
}

function lifetimeOf(value: unknown): '5m' | '1h' | null {
  if (!isFields(value) || value['type'] !== 'ephemeral') return null
  const ttl = value['ttl'] ?? '5m'
  return ttl === '5m' || ttl === '1h' ? ttl : null
}

function marksIn(blocks: unknown, at: string): readonly Mark[] {
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

function withoutMarks(block: JsonObject): JsonObject {
  const { cache_control: _, ...rest } = block
  const { content, source } = rest
  const inner = Array.isArray(content) ? { content: content.map(unmarkedValue) } : {}
  if (!isFields(source) || !Array.isArray(source['content'])) return { ...rest, ...inner }
  return {
    ...rest,
    ...inner,
    source: { ...(source as JsonObject), content: source['content'].map(unmarkedValue) },
  }
}

function unmarkedValue(value: JsonValue): JsonValue {
  return isFields(value) ? withoutMarks(value as JsonObject) : value
}

export interface Draft {
  readonly system: readonly JsonObject[]
  readonly tools: readonly JsonObject[]
  readonly turns: readonly Turn[]
}

type Messages = readonly ContextMessage[]
type DraftOf = (messages: Messages) => Draft

export function withBreakpoints({ messages, breakpoints }: Deliverable, draftOf: DraftOf): Draft {
  // Without the marks that known blocks were read with.
  const bareDraft = (kept: Messages): Draft => {
    const unmarkedMessages = kept.map((message) => ({
      ...message,
      parts: message.parts.map(unmarkedPart),
    }))
    const { system, tools, turns } = draftOf(unmarkedMessages)
    return { system: system.map(withoutMarks), tools: tools.map(withoutMarks), turns }
  }
  const valid = withValidMarks(messages, 'any')
  if (breakpoints.length === 0) {
    const asRead = draftOf(valid)
    if (hasValidMarks(asRead)) return asRead
  }
  const bare = bareDraft(valid)
  if (hasValidMarks(bare)) return marked(bare, breakpoints)
  // Building turns moves results, which may break the order of marks.
  return marked(bareDraft(withValidMarks(messages, 'one')), breakpoints)
}

function hasValidMarks({ system, tools, turns }: Draft): boolean {
  return isValid(marksInRequest({ system, tools, messages: turns.map(messageOf) }), checkMarks)
}

export function messageOf({ side, items }: Turn): Fields {
  return { role: side, content: items.map(({ json }) => json) }
}

/** Sealed items are sent unchanged, so no mark may be added. */
export function isSealed({ part }: TurnItem): boolean {
  return part?.type === 'opaque' || part?.type === 'reasoning'
}

const mark = { type: 'ephemeral' } as const

function marked({ system, tools, turns }: Draft, breakpoints: readonly number[]): Draft {
  const items = turns.flatMap((turn) => turn.items)
  const given = items.map(({ json }) => marksIn([json], ''))
  const room = marksMax - given.flat().length
  // Our marks have the short ttl, and none may precede one with a longer ttl.
  const long = given.findLastIndex((marks) => marks.some(({ value }) => lifetimeOf(value) === '1h'))
  const opening = long < 0 && room > 1 && system.length + tools.length > 0
  // Without breakpoints, only the newest message gets a mark.
  const wanted = breakpoints.length === 0 ? [items.at(-1)?.from ?? 0] : breakpoints
  // For each of these messages, the last block at or before it.
  const free = items.slice(long + 1).filter((item) => !isSealed(item))
  const last = wanted.flatMap((message) => free.findLast(({ from }) => from <= message) ?? [])
  const chosen = [...new Set(last)]
  const kept = new Set(chosen.slice(Math.max(0, chosen.length - room + (opening ? 1 : 0))))
  return {
    system: opening ? markedLast(system) : system,
    tools: opening && system.length === 0 ? markedLast(tools) : tools,
    turns: turns.map((turn) => ({
      ...turn,
      items: turn.items.map((item) =>
        kept.has(item) ? { ...item, json: { ...item.json, cache_control: mark } } : item,
      ),
    })),
  }
}

function markedLast(blocks: readonly JsonObject[]): readonly JsonObject[] {
  return blocks.length === 0 ? blocks : blocks.with(-1, { ...blocks.at(-1), cache_control: mark })
}

/**
 * An unknown block is sent unchanged or not at all. If its marks would be refused, the block is omitted,
 * the oldest first. With a single ttl, any order of marks is valid.
 */
function withValidMarks(messages: Messages, lifetimes: 'any' | 'one'): Messages {
  let kept: readonly Mark[] = []
  const isKept = (part: Part | OutputPart): boolean => {
    const marks = marksOn(part)
    if (marks.length === 0) return true
    const all = [...marks, ...kept]
    const mixed = new Set(all.map(({ value }) => lifetimeOf(value))).size > 1
    if ((mixed && lifetimes === 'one') || !isValid(all, checkMarks)) return false
    kept = all
    return true
  }
  return fromTheEnd(messages, (message) => [
    {
      ...message,
      parts: fromTheEnd(message.parts, (part) => {
        if (part.type !== 'tool-result' || part.output.kind !== 'parts')
          return isKept(part) ? [part] : []
        const parts = fromTheEnd(part.output.parts, (inner) => (isKept(inner) ? [inner] : []))
        return [{ ...part, output: { ...part.output, parts } }]
      }),
    },
  ])
}

function fromTheEnd<Item>(items: readonly Item[], change: (item: Item) => readonly Item[]) {
  return items.toReversed().flatMap(change).toReversed()
}

function marksOn(part: Part | OutputPart): readonly Mark[] {
  if (part.type !== 'opaque' || !/cache_control|\\u/.test(part.json)) return []
  return marksIn([ownBlock(part, 'anthropic')], part.kind)
}

function unmarkedPart(part: Part): Part {
  if (part.type !== 'tool-result' || part.output.kind !== 'parts') return unmarked(part)
  return unmarked({ ...part, output: { ...part.output, parts: part.output.parts.map(unmarked) } })
}

function unmarked<AnyPart extends Part | OutputPart>(part: AnyPart): AnyPart {
  const details = part.metadata?.['anthropic']
  if (!isFields(details)) return part
  const { fields, source } = details as JsonObject
  const anthropic = {
    ...(details as JsonObject),
    ...(isFields(fields) ? { fields: withoutMarks(fields as JsonObject) } : {}),
    ...(isFields(source) ? withoutMarks({ source }) : {}),
  }
  return { ...part, metadata: { ...part.metadata, anthropic } }
}
