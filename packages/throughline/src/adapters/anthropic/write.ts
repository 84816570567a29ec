/**
 * A context as a request of the Messages API: turns that alternate, results first in
 * theirs, calls last in theirs, pairs of server tools whole.
 */
import type { Deliverable } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { TextPart } from '../../domain/message.ts'
import { firstOfName } from '../first-of-name.ts'
import { noteOf } from '../notes.ts'
import {
  alternating,
  pairedTurns,
  type Turn,
  type TurnItem,
  userFirstAndLast,
} from '../paired-turns.ts'
import { wellFormed } from '../well-formed.ts'
import { nothingText, wordsOf } from '../words.ts'
import { isBlank } from './block-rules.ts'
import { textBlock, turnOf } from './blocks.ts'
import { cacheProblems, markedAt, markedLast, marksMax, withoutMarks } from './cache.ts'
import { isServerCall, serverToolFlaws } from './server-tools.ts'
import { toolBlock } from './tools.ts'

interface Draft {
  readonly system: readonly JsonObject[]
  readonly tools: readonly JsonObject[]
  readonly turns: readonly Turn<JsonObject>[]
}

interface Written {
  readonly system?: string | readonly JsonObject[]
  readonly messages: readonly {
    readonly role: string
    readonly content: string | readonly JsonObject[]
  }[]
  readonly tools?: readonly JsonObject[]
}

export function writeAnthropic(context: Deliverable): Written {
  const leading = context.messages.findIndex(({ role }) => role !== 'system')
  const opening = leading < 0 ? context.messages.length : leading
  const turns = context.messages
    .map((message, from) => turnOf(message, from, context.files))
    .slice(opening)
  const draft: Draft = {
    system: [
      ...context.system.map(textBlock).filter((block) => block !== null),
      ...context.messages.slice(0, opening).flatMap(({ parts }) => systemBlocks(parts)),
    ],
    tools: firstOfName(
      context.tools.map(toolBlock).filter((tool) => tool !== null),
      ({ name }) => name,
    ),
    turns: userFirstAndLast(withServerPairs(pairedTurns(turns)), nothing),
  }
  const marked = withBreakpoints(draft, context.breakpoints)
  return wellFormed(requestOf(marked, context))
}

const nothing: JsonObject = { type: 'text', text: nothingText }

function systemBlocks(parts: Deliverable['messages'][number]['parts']): readonly JsonObject[] {
  return parts.flatMap((part) => {
    const text = wordsOf(part)
    return text === null || isBlank(text) ? [] : [{ type: 'text', text }]
  })
}

/** Calls and results of server tools that stand alone are refused: they go, until none is left. */
function withServerPairs(turns: readonly Turn<JsonObject>[]): readonly Turn<JsonObject>[] {
  const ordered = turns.map(callsLast)
  const flaws = serverToolFlaws(
    ordered.map(({ side, items }) => ({ role: side, content: items.map(({ block }) => block) })),
  )
  if (flaws.length === 0) return ordered
  const dropped = new Set(flaws.map(({ message, block }) => ordered[message]?.items[block]))
  const kept = ordered.map((turn) => ({
    ...turn,
    items: turn.items.filter((item) => !dropped.has(item)),
  }))
  return withServerPairs(alternating(kept))
}

/** Where assistant messages were merged, what was said after a call goes before it. */
function callsLast(turn: Turn<JsonObject>): Turn<JsonObject> {
  const { items } = turn
  const first = items.findIndex(({ call }) => call !== null)
  const spoken = items.findLastIndex(({ block }) => !isCall(block))
  if (first < 0 || spoken < first) return turn
  return {
    ...turn,
    items: [
      ...items.filter(({ call }) => call === null),
      ...items.filter(({ call }) => call !== null),
    ],
  }
}

function isCall({ type }: JsonObject): boolean {
  return type === 'tool_use' || isServerCall(type)
}

function withBreakpoints(draft: Draft, breakpoints: readonly number[]): Draft {
  if (breakpoints.length === 0) {
    const messages = draft.turns.map(({ items }) => ({ content: items.map(({ block }) => block) }))
    if (cacheProblems({ ...draft, messages }).length === 0) return draft
  }
  const { system, tools, turns } = unmarked(draft)
  const last = turns.at(-1)?.items.at(-1)?.from ?? 0
  // Marks of many requests, gathered in one log, are too many: the newest stands for them.
  const wanted = breakpoints.length === 0 ? [last] : breakpoints
  return {
    system: markedLast(system),
    tools: system.length === 0 ? markedLast(tools) : tools,
    turns: markedAt(turns, wanted.slice(1 - marksMax)),
  }
}

function unmarked({ system, tools, turns }: Draft): Draft {
  return {
    system: system.map(withoutMarks),
    tools: tools.map(withoutMarks),
    turns: turns.map((turn) => ({
      ...turn,
      items: turn.items.map((item) => ({ ...item, block: withoutMarks(item.block) })),
    })),
  }
}

function requestOf({ system, tools, turns }: Draft, context: Deliverable): Written {
  return {
    ...(system.length === 0 ? {} : { system: plainSystem(system, context.system) }),
    messages: turns.map(({ side, items }) => ({ role: side, content: contentOf(items, context) })),
    ...(tools.length === 0 ? {} : { tools }),
  }
}

/** Text that came as a string goes back as one, where nothing was hung on it. */
function plainSystem(
  blocks: readonly JsonObject[],
  parts: readonly TextPart[],
): string | readonly JsonObject[] {
  const wasString = noteOf(parts[0]?.metadata, 'anthropic')['string'] === true
  return (wasString ? plainText(blocks) : null) ?? blocks
}

/** One text and nothing on it is written as a string; a list of one that was read stays a list. */
function contentOf(
  items: readonly TurnItem<JsonObject>[],
  { messages }: Deliverable,
): string | readonly JsonObject[] {
  const blocks = items.map(({ block }) => block)
  const [part] = messages[items[0]?.from ?? -1]?.parts ?? []
  const listed = noteOf(part?.metadata, 'anthropic')['listed'] === true
  return (listed ? null : plainText(blocks)) ?? blocks
}

function plainText(blocks: readonly JsonObject[]): string | null {
  const [block] = blocks
  if (blocks.length !== 1 || block === undefined || Object.keys(block).length !== 2) return null
  const { type, text } = block
  return type === 'text' && typeof text === 'string' ? text : null
}
