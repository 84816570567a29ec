/**
 * A context as a request of generateContent: contents that alternate, and every call
 * answered in the content behind it.
 */
import type { Deliverable, ToolSchema } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Part, TextPart } from '../../domain/message.ts'
import { isServiceTool, notedFields, noteOf } from '../notes.ts'
import {
  openingLength,
  pairedTurns,
  type Turn,
  type TurnItem,
  userFirstAndLast,
  withoutLone,
} from '../paired-turns.ts'
import { nothingText, wordsOf } from '../plain-text.ts'
import { firstOfName, safeName } from '../safe-name.ts'
import { isFields } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { notedSideFields } from './part-fields.ts'
import { lonePartsIn, nameRule } from './rules.ts'
import { type DraftPart, turnOf } from './write-parts.ts'

type DraftTurn = Turn<DraftPart>
type DraftItem = TurnItem<DraftPart>

interface Written {
  readonly systemInstruction?: { readonly parts: readonly JsonObject[] }
  readonly contents: readonly { readonly role?: string; readonly parts: readonly JsonObject[] }[]
  readonly tools?: readonly JsonObject[]
}

export function writeGemini(context: Deliverable): Written {
  const opening = openingLength(context.messages)
  const turns = context.messages
    .map((message, from) => turnOf(message, from, context.files))
    .slice(opening)
  const paired = withoutLone(pairedTurns(turns), (each) => lonePartsIn(each.map(partsOf)))
  const whole = userFirstAndLast(paired, nothing)
  return wellFormed(requestOf(context, whole.map(answered).map(withSignature), opening))
}

const nothing: DraftPart = { part: { text: nothingText }, own: false, anonymous: false }

function partsOf({ items }: DraftTurn): readonly JsonObject[] {
  return items.map(({ block }) => block.part)
}

/** Responses with the name of their call, and its id where it has one. */
function answered(turn: DraftTurn, index: number, turns: readonly DraftTurn[]): DraftTurn {
  const calls = turns[index - 1]?.items.filter(({ call }) => call !== null) ?? []
  const items = turn.items.map((item) => {
    const call = calls.find((other) => other.call === item.result)
    return item.result === null || call === undefined ? item : named(item, call)
  })
  return { ...turn, items: inOrderOfCalls(items, calls) }
}

function named(item: DraftItem, call: DraftItem): DraftItem {
  const { part } = item.block
  const { id, name } = recordAt(call.block.part, 'functionCall')
  const { name: _, ...response } = recordAt(part, 'functionResponse')
  const known = id === undefined || item.block.anonymous ? {} : { id }
  const functionResponse = { ...known, ...(name === undefined ? {} : { name }), ...response }
  return { ...item, block: { ...item.block, part: { ...part, functionResponse } } }
}

function recordAt(part: JsonObject, field: string): JsonObject {
  return isFields(part[field]) ? (part[field] as JsonObject) : {}
}

/** Responses without ids answer calls of one name in their order. */
function inOrderOfCalls(items: readonly DraftItem[], calls: readonly DraftItem[]) {
  const place = ({ result }: DraftItem) => calls.findIndex(({ call }) => call === result)
  const nameOf = (item: DraftItem): unknown => {
    const { id, name } = recordAt(item.block.part, 'functionResponse')
    return item.result === null || id !== undefined ? null : name
  }
  const queues = Map.groupBy(items, nameOf)
  for (const queue of queues.values()) queue.sort((left, right) => place(left) - place(right))
  return items.map((item) => {
    const name = nameOf(item)
    return name === null ? item : (queues.get(name)?.shift() ?? item)
  })
}

/**
 * Gemini 3 refuses calls of the current turn without a thought signature; for calls that
 * another model made, Google documents a text that replaces one. It belongs on the first
 * call of each step, and stays there in later turns: the cached prefix must not change.
 * Calls that were read from Gemini stay as they came.
 */
const foreignSignature = 'skip_thought_signature_validator'

function withSignature(turn: DraftTurn): DraftTurn {
  const place = turn.items.findIndex(({ call }) => call !== null)
  const first = turn.items[place]
  if (first === undefined || first.block.own) return turn
  if (first.block.part['thoughtSignature'] !== undefined) return turn
  const part = { ...first.block.part, thoughtSignature: foreignSignature }
  return { ...turn, items: turn.items.with(place, { ...first, block: { ...first.block, part } }) }
}

function requestOf(context: Deliverable, turns: readonly DraftTurn[], opening: number): Written {
  const notes = context.messages.slice(0, opening).flatMap(({ parts }) => parts)
  const system = [...context.system, ...notes].flatMap(systemPart)
  const tools = toolEntries(context.tools)
  const roleOf = ({ side, items }: DraftTurn) => {
    const meta = context.messages[items[0]?.from ?? -1]?.meta
    // A single content needs no role.
    if (turns.length === 1 && noteOf(meta, 'google')['role'] === 'absent') return {}
    return { role: side === 'assistant' ? 'model' : 'user' }
  }
  return {
    ...(system.length === 0
      ? {}
      : { systemInstruction: { ...systemFields(context.system[0]), parts: system } }),
    contents: turns.map((turn) => ({ ...roleOf(turn), parts: partsOf(turn) })),
    ...(tools.length === 0 ? {} : { tools }),
  }
}

function systemPart(part: Part): readonly JsonObject[] {
  const text = wordsOf(part)
  if (text === null || text === '') return []
  return [{ ...notedSideFields(noteOf(part.metadata, 'google')), text }]
}

/** A role of the instruction is ignored by the service, and comes back as it was. */
function systemFields(first: TextPart | undefined): JsonObject {
  const content = noteOf(first?.metadata, 'google')['content']
  const role = isFields(content) ? content['role'] : undefined
  return typeof role === 'string' ? { role } : {}
}

function toolEntries(tools: readonly ToolSchema[]): readonly JsonObject[] {
  const known = firstOfName(
    tools.filter((tool) => wholeOf(tool) !== null || !isServiceTool(tool)),
    (tool) => (wholeOf(tool) === null ? safeName(tool.name, nameRule) : undefined),
  )
  const home = known.map(entryOf).find((entry, index) => entry !== null && !wholeOf(known[index]))
  const entries = new Map<number, JsonObject>()
  for (const tool of known) {
    // Functions of others join those that are there: several lists of them are refused.
    const entry = entryOf(tool) ?? home ?? -1
    const before = entries.get(entry) ?? {}
    const declared = before['functionDeclarations']
    const functions = Array.isArray(declared) ? declared : []
    const added = wholeOf(tool) ?? { functionDeclarations: [...functions, declaration(tool)] }
    entries.set(entry, { ...before, ...added })
  }
  return [...entries].sort(([left], [right]) => left - right).map(([, entry]) => entry)
}

function entryOf({ metadata }: ToolSchema): number | null {
  const { entry } = noteOf(metadata, 'google')
  return typeof entry === 'number' && Number.isSafeInteger(entry) && entry >= 0 ? entry : null
}

function wholeOf(tool: ToolSchema | undefined): JsonObject | null {
  const whole = noteOf(tool?.metadata, 'google')['tool']
  return isFields(whole) ? (whole as JsonObject) : null
}

function declaration({ name, description, parameters, metadata }: ToolSchema): JsonObject {
  const fields = notedFields(noteOf(metadata, 'google'))
  const told = 'parameters' in fields || 'parametersJsonSchema' in fields
  return {
    ...fields,
    name: safeName(name, nameRule),
    ...(description === undefined ? {} : { description }),
    ...(told || parameters === undefined || parameters === null
      ? {}
      : { parametersJsonSchema: parameters }),
  }
}
