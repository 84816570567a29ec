/**
 * Where the stable beginnings of a request end, told by marks for the cache: on the system
 * text or the last tool, and in the messages. The service takes four. Blocks that we do not
 * know keep the marks that they came with, so ours are fewer for each of those.
 */
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Part } from '../../domain/message.ts'
import type { OutputPart } from '../plain-text.ts'
import { isSound } from '../rules.ts'
import { type Fields, isFields, ownBlock } from '../unknown-json.ts'
import {
  checkMarks,
  lifetimeOf,
  type Mark,
  marksIn,
  marksInRequest,
  marksMax,
  withoutMarks,
} from './cache.ts'
import type { DraftItem, DraftTurn } from './write-blocks.ts'

export interface Draft {
  readonly system: readonly JsonObject[]
  readonly tools: readonly JsonObject[]
  readonly turns: readonly DraftTurn[]
}

type Messages = readonly ContextMessage[]
type DraftOf = (messages: Messages) => Draft

export function withBreakpoints({ messages, breakpoints }: Deliverable, draftOf: DraftOf): Draft {
  const sound = withSoundMarks(messages, 'any')
  if (breakpoints.length === 0) {
    const asRead = draftOf(sound)
    if (hasSoundMarks(asRead)) return asRead
  }
  const bare = unmarkedOpening(draftOf(withoutNotedMarks(sound)))
  if (hasSoundMarks(bare)) return marked(bare, breakpoints)
  // Turns have put results before a mark that must stand before theirs.
  const ordered = withSoundMarks(messages, 'one')
  return marked(unmarkedOpening(draftOf(withoutNotedMarks(ordered))), breakpoints)
}

function hasSoundMarks({ system, tools, turns }: Draft): boolean {
  const marks = marksInRequest({ system, tools, messages: turns.map(messageOf) })
  return isSound((report) => checkMarks(marks, report))
}

export function messageOf({ side, items }: DraftTurn): Fields {
  return { role: side, content: items.map(({ block }) => block.json) }
}

function unmarkedOpening({ system, tools, turns }: Draft): Draft {
  return { system: system.map(withoutMarks), tools: tools.map(withoutMarks), turns }
}

const mark = { type: 'ephemeral' } as const

function marked({ system, tools, turns }: Draft, breakpoints: readonly number[]): Draft {
  const items = turns.flatMap((turn) => turn.items)
  const given = items.map(({ block }) => marksIn([block.json], ''))
  const room = marksMax - given.flat().length
  // Ours live short, and none may stand before one that lives longer.
  const long = given.findLastIndex((marks) => marks.some(({ value }) => lifetimeOf(value) === '1h'))
  const opening = long < 0 && room > 1 && system.length + tools.length > 0
  // Marks of many requests, gathered in one log, are too many: the newest stands for them.
  const wanted = breakpoints.length === 0 ? [items.at(-1)?.from ?? 0] : breakpoints
  // For each of these messages the last block that comes from it, or before.
  const free = items.slice(long + 1).filter(({ block }) => !block.sealed)
  const last = wanted.flatMap((message) => free.findLast(({ from }) => from <= message) ?? [])
  const chosen = [...new Set(last)]
  const kept = new Set(chosen.slice(Math.max(0, chosen.length - room + (opening ? 1 : 0))))
  return {
    system: opening ? markedLast(system) : system,
    tools: opening && system.length === 0 ? markedLast(tools) : tools,
    turns: turns.map((turn) => ({
      ...turn,
      items: turn.items.map((item) => (kept.has(item) ? markedItem(item) : item)),
    })),
  }
}

function markedLast(blocks: readonly JsonObject[]): readonly JsonObject[] {
  return blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, cache_control: mark } : block,
  )
}

function markedItem(item: DraftItem): DraftItem {
  const { block } = item
  return { ...item, block: { ...block, json: { ...block.json, cache_control: mark } } }
}

/**
 * Marks for the cache that came with what was read: those on blocks that we know are noted
 * beside them and can be left out. A block that we do not know goes as it came or not at
 * all: where its marks would be refused, it is left out, the oldest first. With lifetimes
 * of one length their order is sound wherever turns put them.
 */
function withSoundMarks(messages: Messages, lifetimes: 'any' | 'one'): Messages {
  let kept: readonly Mark[] = []
  const isKept = (part: Part | OutputPart): boolean => {
    const marks = marksOn(part)
    if (marks.length === 0) return true
    const all = [...marks, ...kept]
    const mixed = new Set(all.map(({ value }) => lifetimeOf(value))).size > 1
    if ((mixed && lifetimes === 'one') || !isSound((report) => checkMarks(all, report)))
      return false
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

/** Without the marks that were noted beside blocks that we know. */
function withoutNotedMarks(messages: Messages): Messages {
  return messages.map((message) => ({ ...message, parts: message.parts.map(unmarkedPart) }))
}

function unmarkedPart(part: Part): Part {
  if (part.type !== 'tool-result' || part.output.kind !== 'parts') return unmarked(part)
  return unmarked({ ...part, output: { ...part.output, parts: part.output.parts.map(unmarked) } })
}

function unmarked<Noted extends Part | OutputPart>(part: Noted): Noted {
  const note = part.metadata?.['anthropic']
  if (!isFields(note)) return part
  const { fields, source } = note as JsonObject
  const anthropic = {
    ...(note as JsonObject),
    ...(isFields(fields) ? { fields: withoutMarks(fields as JsonObject) } : {}),
    // Of a document: what its source holds besides.
    ...(isFields(source) ? withoutMarks({ source }) : {}),
  }
  return { ...part, metadata: { ...part.metadata, anthropic } }
}
