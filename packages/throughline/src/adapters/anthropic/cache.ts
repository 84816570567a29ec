/**
 * Cache breakpoints of the Messages API: the rules for `cache_control`, and where `write` sets it, at the end
 * of stable prefixes. A request may have four. Opaque blocks are sent unchanged, so each `cache_control` in
 * them leaves one fewer for us.
 */
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Part } from '../../domain/message.ts'
import type { WireBlock, WireMessage } from '../alternate-messages.ts'
import type { OutputPart } from '../plain-text.ts'
import { isValid, type Report } from '../rules.ts'
import { type Fields, isObject, listOf, providerBlock } from '../unknown-json.ts'

const maxCacheControls = 4

interface CacheControl {
  /** Its path in the request. */
  readonly at: string
  readonly value: unknown
  readonly blockType: unknown
}

/** In the order in which the service assembles a prompt. */
export function cacheControlsInRequest({ tools, system, messages }: Fields) {
  const inMessages = listOf(messages).flatMap((message, index) =>
    isObject(message) ? cacheControlsIn(message['content'], `messages[${index}].content`) : [],
  )
  return [...cacheControlsIn(tools, 'tools'), ...cacheControlsIn(system, 'system'), ...inMessages]
}

export function checkCacheControls(found: readonly CacheControl[], report: Report): void {
  for (const { at, value, blockType } of found)
    if (blockType === 'thinking' || blockType === 'redacted_thinking')
      report('cache-place', at, 'is not allowed on a thinking block')
    else if (ttlOf(value) === null)
      report('cache-shape', at, 'must be ephemeral, with a ttl of 5m or 1h')
  const firstShort = found.findIndex(({ value }) => ttlOf(value) === '5m')
  const late = found.find(({ value }, index) => index > firstShort && ttlOf(value) === '1h')
  if (firstShort >= 0 && late !== undefined)
    report('cache-order', late.at, 'has a longer ttl than one before it')
  const extra = found[maxCacheControls]
  if (extra !== undefined)
    report('cache-count', extra.at, `is one of more than ${maxCacheControls}`)
}

function areValid(found: readonly CacheControl[]): boolean {
  return isValid(found, (all, _, report) => checkCacheControls(all, report))
}

function ttlOf(value: unknown): '5m' | '1h' | null {
  if (!isObject(value) || value['type'] !== 'ephemeral') return null
  const ttl = value['ttl'] ?? '5m'
  return ttl === '5m' || ttl === '1h' ? ttl : null
}

function cacheControlsIn(blocks: unknown, at: string): readonly CacheControl[] {
  return listOf(blocks).flatMap((block, index): readonly CacheControl[] => {
    if (!isObject(block)) return []
    const path = `${at}[${index}]`
    const { content, source, type: blockType, cache_control: value } = block
    const inner = [
      ...cacheControlsIn(content, `${path}.content`),
      ...cacheControlsIn(isObject(source) ? source['content'] : null, `${path}.source.content`),
    ]
    if (value === undefined || value === null) return inner
    return [...inner, { at: `${path}.cache_control`, value, blockType }]
  })
}

/** The blocks of a request before they are joined to JSON. */
export interface RequestBlocks {
  readonly system: readonly JsonObject[]
  readonly tools: readonly JsonObject[]
  readonly messages: readonly WireMessage[]
}

type Messages = readonly ContextMessage[]
type BuildBlocks = (messages: Messages) => RequestBlocks

/**
 * Builds the blocks of a request with `cache_control` at the breakpoints. The first valid of three attempts:
 * 1. Only without breakpoints: every block as it was read.
 * 2. Known blocks without the `cache_control` that they were read with; ours are added.
 * 3. The same, without opaque blocks that have different ttls: `build` moves results, so that a longer ttl
 *    may come after a shorter one, which the service refuses.
 */
export function withBreakpoints({ messages, breakpoints }: Deliverable, build: BuildBlocks) {
  const valid = withoutInvalidOpaque(messages, true)
  if (breakpoints.length === 0) {
    const asRead = build(valid)
    if (hasValidCacheControls(asRead)) return asRead
  }
  const dropped = buildWithoutRead(valid, build)
  if (hasValidCacheControls(dropped)) return addCacheControls(dropped, breakpoints)
  const sameTtl = withoutInvalidOpaque(messages, false)
  return addCacheControls(buildWithoutRead(sameTtl, build), breakpoints)
}

/** Only opaque blocks keep the `cache_control` that they were read with. */
function buildWithoutRead(messages: Messages, build: BuildBlocks): RequestBlocks {
  const dropped = messages.map((message) => ({
    ...message,
    parts: message.parts.map(dropFromPart),
  }))
  const { system, tools, messages: built } = build(dropped)
  return { system: system.map(dropFromBlock), tools: tools.map(dropFromBlock), messages: built }
}

function hasValidCacheControls({ system, tools, messages }: RequestBlocks): boolean {
  return areValid(cacheControlsInRequest({ system, tools, messages: messages.map(messageJson) }))
}

export function messageJson({ side, blocks }: WireMessage): Fields {
  return { role: side, content: blocks.map(({ json }) => json) }
}

/** Whether a block must be sent as it was read, so that nothing may be added to it. */
export function isSentUnchanged({ part }: WireBlock): boolean {
  return part?.type === 'opaque' || part?.type === 'reasoning'
}

const ephemeral = { type: 'ephemeral' } as const

function addCacheControls(
  { system, tools, messages }: RequestBlocks,
  breakpoints: readonly number[],
): RequestBlocks {
  const blocks = messages.flatMap((message) => message.blocks)
  const existing = blocks.map(({ json }) => cacheControlsIn([json], ''))
  const unused = maxCacheControls - existing.flat().length
  // Ours have the short ttl, so none may precede one with the long ttl.
  const lastLongIndex = existing.findLastIndex((each) =>
    each.some(({ value }) => ttlOf(value) === '1h'),
  )
  const marksOpening = lastLongIndex < 0 && unused > 1 && system.length + tools.length > 0
  // Without breakpoints, only the newest message gets one.
  const messageIndexes = breakpoints.length === 0 ? [blocks.at(-1)?.from ?? 0] : breakpoints
  const candidates = blocks.slice(lastLongIndex + 1).filter((block) => !isSentUnchanged(block))
  // For each message, its last block, or the last block before it.
  const lastBlocks = messageIndexes.flatMap(
    (messageIndex) => candidates.findLast(({ from }) => from <= messageIndex) ?? [],
  )
  const distinct = [...new Set(lastBlocks)]
  const unusedForMessages = unused - (marksOpening ? 1 : 0)
  const chosen = new Set(distinct.slice(Math.max(0, distinct.length - unusedForMessages)))
  return {
    system: marksOpening ? addToLast(system) : system,
    tools: marksOpening && system.length === 0 ? addToLast(tools) : tools,
    messages: messages.map((message) => ({
      ...message,
      blocks: message.blocks.map((block) =>
        chosen.has(block) ? { ...block, json: { ...block.json, cache_control: ephemeral } } : block,
      ),
    })),
  }
}

function addToLast(blocks: readonly JsonObject[]): readonly JsonObject[] {
  if (blocks.length === 0) return blocks
  return blocks.with(-1, { ...blocks.at(-1), cache_control: ephemeral })
}

/**
 * Opaque blocks are sent unchanged or not at all: those whose `cache_control` would be refused are omitted,
 * the oldest first. If all have the same ttl, they are valid in any order.
 */
function withoutInvalidOpaque(messages: Messages, allowsMixedTtls: boolean): Messages {
  let kept: readonly CacheControl[] = []
  const isKept = (part: Part | OutputPart): boolean => {
    const added = cacheControlsOf(part)
    if (added.length === 0) return true
    const all = [...added, ...kept]
    const isMixed = new Set(all.map(({ value }) => ttlOf(value))).size > 1
    if ((isMixed && !allowsMixedTtls) || !areValid(all)) return false
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

function cacheControlsOf(part: Part | OutputPart): readonly CacheControl[] {
  // A quick test before parsing; JSON may write the key with \u escapes.
  if (part.type !== 'opaque' || !/cache_control|\\u/.test(part.json)) return []
  return cacheControlsIn([providerBlock(part, 'anthropic')], part.kind)
}

function dropFromPart(part: Part): Part {
  if (part.type !== 'tool-result' || part.output.kind !== 'parts') return dropFromMetadata(part)
  const parts = part.output.parts.map(dropFromMetadata)
  return dropFromMetadata({ ...part, output: { ...part.output, parts } })
}

/** `read` keeps the fields of a block, and of its source, in `metadata`. */
function dropFromMetadata<AnyPart extends Part | OutputPart>(part: AnyPart): AnyPart {
  const details = part.metadata?.['anthropic']
  if (!isObject(details)) return part
  const { fields, source } = details as JsonObject
  const anthropic = {
    ...(details as JsonObject),
    ...(isObject(fields) ? { fields: dropFromBlock(fields as JsonObject) } : {}),
    ...(isObject(source) ? dropFromBlock({ source }) : {}),
  }
  return { ...part, metadata: { ...part.metadata, anthropic } }
}

function dropFromBlock(block: JsonObject): JsonObject {
  const { cache_control: _, ...rest } = block
  const { content, source } = rest
  const drop = (value: JsonValue) => (isObject(value) ? dropFromBlock(value as JsonObject) : value)
  const inner = Array.isArray(content) ? { content: content.map(drop) } : {}
  if (!isObject(source) || !Array.isArray(source['content'])) return { ...rest, ...inner }
  const dropped = { ...(source as JsonObject), content: source['content'].map(drop) }
  return { ...rest, ...inner, source: dropped }
}
