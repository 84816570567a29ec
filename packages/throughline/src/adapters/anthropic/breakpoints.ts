/**
 * Where the stable beginnings of a request end, told by marks for the cache: on the system
 * text or the last tool, and in the messages. The service takes four. Blocks that we do not
 * know keep the marks that they came with, so ours are fewer for each of those.
 */
import type { Deliverable } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { DraftItem, DraftTurn } from './blocks.ts'
import { cacheProblems, lifetimeOf, marksIn, marksMax, withoutMarks } from './cache.ts'
import { withoutNotedMarks, withSoundMarks } from './read-marks.ts'

export interface Draft {
  readonly system: readonly JsonObject[]
  readonly tools: readonly JsonObject[]
  readonly turns: readonly DraftTurn[]
}

type DraftOf = (messages: Deliverable['messages']) => Draft

export function withBreakpoints({ messages, breakpoints }: Deliverable, draftOf: DraftOf): Draft {
  const sound = withSoundMarks(messages, 'any')
  if (breakpoints.length === 0) {
    const asRead = draftOf(sound)
    if (isSound(asRead)) return asRead
  }
  const bare = unmarked(draftOf(withoutNotedMarks(sound)))
  if (isSound(bare)) return marked(bare, breakpoints)
  // Turns have put results before a mark that must stand before theirs.
  const ordered = withSoundMarks(messages, 'one')
  return marked(unmarked(draftOf(withoutNotedMarks(ordered))), breakpoints)
}

function isSound({ system, tools, turns }: Draft): boolean {
  const messages = turns.map(({ items }) => ({ content: items.map(({ block }) => block.json) }))
  return cacheProblems({ system, tools, messages }).length === 0
}

function unmarked({ system, tools, turns }: Draft): Draft {
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
  const chosen = chosenItems(items.slice(long + 1), wanted)
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

/** For each of these messages the last block that comes from it, or before. */
function chosenItems(
  items: readonly DraftItem[],
  messages: readonly number[],
): readonly DraftItem[] {
  const found = messages.flatMap(
    (message) => items.findLast(({ block, from }) => from <= message && !block.sealed) ?? [],
  )
  return [...new Set(found)]
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
