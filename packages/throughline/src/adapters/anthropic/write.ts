/**
 * A context as a request of the Messages API: turns that alternate, results first in
 * theirs, calls last in theirs, pairs of server tools whole.
 */
import type { Deliverable } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { TextPart } from '../../domain/message.ts'
import { noteOf } from '../notes.ts'
import { alternating, pairedTurns, userFirstAndLast } from '../paired-turns.ts'
import { nothingText, wordsOf } from '../plain-text.ts'
import { firstOfName } from '../safe-name.ts'
import { wellFormed } from '../well-formed.ts'
import { isBlank } from './block-rules.ts'
import { type DraftBlock, type DraftItem, type DraftTurn, textBlock, turnOf } from './blocks.ts'
import { type Draft, withBreakpoints } from './breakpoints.ts'
import { isServerCall, serverToolFlaws } from './server-tools.ts'
import { toolBlock } from './tools.ts'

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
  const system = [
    ...context.system.map(textBlock).filter((block) => block !== null),
    ...context.messages.slice(0, opening).flatMap(({ parts }) => systemBlocks(parts)),
  ]
  const tools = firstOfName(
    context.tools.map(toolBlock).filter((tool) => tool !== null),
    ({ name }) => name,
  )
  const draft = withBreakpoints(context, (messages) => {
    const turns = messages.map((message, from) => turnOf(message, from, context.files))
    const whole = withServerPairs(pairedTurns(turns.slice(opening)))
    return { system, tools, turns: userFirstAndLast(whole, nothing) }
  })
  return wellFormed(requestOf(draft, context))
}

const nothing: DraftBlock = { json: { type: 'text', text: nothingText }, sealed: false }

function systemBlocks(parts: Deliverable['messages'][number]['parts']): readonly JsonObject[] {
  return parts.flatMap((part) => {
    const text = wordsOf(part)
    return text === null || isBlank(text) ? [] : [{ type: 'text', text }]
  })
}

/** Calls and results of server tools that stand alone are refused: they go, until none is left. */
function withServerPairs(turns: readonly DraftTurn[]): readonly DraftTurn[] {
  const ordered = turns.map(callsLast)
  const flaws = serverToolFlaws(
    ordered.map(({ side, items }) => ({
      role: side,
      content: items.map(({ block }) => block.json),
    })),
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
function callsLast(turn: DraftTurn): DraftTurn {
  const { items } = turn
  const first = items.findIndex(({ call }) => call !== null)
  const spoken = items.findLastIndex(({ block }) => !isCall(block.json))
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
  items: readonly DraftItem[],
  { messages }: Deliverable,
): string | readonly JsonObject[] {
  const blocks = items.map(({ block }) => block.json)
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
