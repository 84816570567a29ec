/**
 * A context as a request of the Messages API: turns that alternate, results first in
 * theirs, calls last in theirs, pairs of server tools whole.
 */
import type { Deliverable, ToolSchema } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { TextPart } from '../../domain/message.ts'
import { isServiceTool, notedFields, noteOf } from '../notes.ts'
import { openingLength, pairedTurns, userFirstAndLast, withoutLone } from '../paired-turns.ts'
import { nothingText, wordsOf } from '../plain-text.ts'
import { firstOfName, safeName } from '../safe-name.ts'
import { isFields } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { type Draft, messageOf, withBreakpoints } from './breakpoints.ts'
import { isBlank, isCall, loneServerTools, nameRule } from './rules.ts'
import {
  type DraftBlock,
  type DraftItem,
  type DraftTurn,
  textBlock,
  turnOf,
} from './write-blocks.ts'

type Content = string | readonly JsonObject[]

interface Written {
  readonly system?: Content
  readonly messages: readonly { readonly role: string; readonly content: Content }[]
  readonly tools?: readonly JsonObject[]
}

export function writeAnthropic(context: Deliverable): Written {
  const opening = openingLength(context.messages)
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
    // Calls and results of server tools that stand alone are refused.
    const paired = withoutLone(
      pairedTurns(turns.slice(opening)),
      (each) => loneServerTools(each.map(messageOf)),
      callsLast,
    )
    return { system, tools, turns: userFirstAndLast(paired, nothing) }
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

/** Where assistant messages were merged, what was said after a call goes before it. */
function callsLast(turn: DraftTurn): DraftTurn {
  const { items } = turn
  const first = items.findIndex(({ call }) => call !== null)
  const spoken = items.findLastIndex(({ block }) => !isCall(block.json['type']))
  if (first < 0 || spoken < first) return turn
  const calls = items.filter(({ call }) => call !== null)
  return { ...turn, items: [...items.filter(({ call }) => call === null), ...calls] }
}

function requestOf({ system, tools, turns }: Draft, context: Deliverable): Written {
  return {
    ...(system.length === 0 ? {} : { system: plainSystem(system, context.system) }),
    messages: turns.map(({ side, items }) => ({ role: side, content: contentOf(items, context) })),
    ...(tools.length === 0 ? {} : { tools }),
  }
}

/** Text that came as a string goes back as one, where nothing was hung on it. */
function plainSystem(blocks: readonly JsonObject[], [first]: readonly TextPart[]) {
  const wasString = noteOf(first?.metadata, 'anthropic')['string'] === true
  return (wasString ? plainText(blocks) : null) ?? blocks
}

/** One text and nothing on it is written as a string; a list of one that was read stays a list. */
function contentOf(items: readonly DraftItem[], { messages }: Deliverable) {
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

/** Null for a tool that another service runs. */
function toolBlock(tool: ToolSchema): JsonObject | null {
  const { name, description, parameters, metadata } = tool
  const note = noteOf(metadata, 'anthropic')
  if (isFields(note['tool'])) return note['tool'] as JsonObject
  if (isServiceTool(tool)) return null
  return {
    ...notedFields(note),
    name: safeName(name, nameRule),
    ...(description === undefined ? {} : { description }),
    input_schema: inputSchema(parameters),
  }
}

/** Other services take a tool without a schema, or a schema without a type. */
function inputSchema(parameters: JsonValue | undefined): JsonValue {
  if (parameters === undefined || parameters === null) return { type: 'object', properties: {} }
  if (!isFields(parameters) || parameters['type'] !== undefined) return parameters
  return { type: 'object', ...(parameters as JsonObject) }
}
