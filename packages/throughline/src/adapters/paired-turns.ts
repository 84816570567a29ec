/**
 * Builds alternating turns: merges neighbours of one side, moves results to the turn after their call, and
 * puts the user first and last. The engine's contexts are nearly valid; omitting another provider's blocks,
 * or a context made by hand, leaves the gaps that are repaired here.
 */
import type { ContextMessage } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Part } from '../domain/message.ts'
import type { Files } from './media.ts'
import { applicationNote } from './plain-text.ts'

export type Side = 'user' | 'assistant'

export interface TurnItem {
  readonly json: JsonObject
  /** The part that it was written from; null for filler text. */
  readonly part: Part | null
  /** Index of its message in the context. */
  readonly from: number
  /** The id of the call, if the item is one. */
  readonly call: string | null
  /** The id of the answered call, if the item is a result. */
  readonly result: string | null
}

export interface Turn {
  readonly side: Side
  readonly items: readonly TurnItem[]
}

/** How a service writes its turns. */
export interface TurnForm {
  /** Null for a part that the service would refuse. */
  readonly write: (part: Part, side: Side, files: Files) => JsonObject | null
  readonly idsOf: (json: JsonObject, part: Part) => Pick<TurnItem, 'call' | 'result'>
  /** The block, if the author's name may be put before its text. */
  readonly textBlockOf: (item: TurnItem) => JsonObject | null
  readonly isBlank: (text: string) => boolean
  readonly loneIn: (turns: readonly Turn[]) => readonly LoneBlock[]
  readonly arrange: (turn: Turn) => Turn
  /** The block of a turn that would be empty. */
  readonly filler: JsonObject
}

export function turnsOf(messages: readonly ContextMessage[], files: Files, form: TurnForm) {
  const turns = messages.map((message, from) => turnOf(message, from, files, form))
  const paired = pairedTurns(turns.slice(openingLength(messages)))
  return userFirstAndLast(withoutLone(paired, form), form.filler)
}

function turnOf(message: ContextMessage, from: number, files: Files, form: TurnForm): Turn {
  const side: Side = message.role === 'assistant' ? 'assistant' : 'user'
  const parts = message.role === 'system' ? applicationNote(message.parts) : message.parts
  const items = parts.flatMap((part): readonly TurnItem[] => {
    // Other providers have results in the assistant's own message; `resultsAfterCalls` moves them.
    const json = form.write(part, part.type === 'tool-result' ? 'user' : side, files)
    return json === null ? [] : [{ json, part, from, ...form.idsOf(json, part) }]
  })
  return { side, items: side === 'user' ? withAuthor(items, message.author, form) : items }
}

/** The service has no field for names of speakers, so the text starts with the author. */
function withAuthor(items: readonly TurnItem[], author: string | null, form: TurnForm) {
  const first = items.findIndex((item) => form.textBlockOf(item) !== null)
  const item = items[first]
  if (author === null || form.isBlank(author) || item === undefined) return items
  const json = form.textBlockOf(item)
  return items.with(first, { ...item, json: { ...json, text: `${author}: ${json?.['text']}` } })
}

function pairedTurns(turns: readonly Turn[]): readonly Turn[] {
  const paired: Turn[] = []
  const called = new Set<string>()
  let waiting = new Set<string>()
  const runs = alternating(turns.flatMap(resultsAfterCalls))
  for (const [index, { side, items }] of runs.entries()) {
    const answers = new Set(runs[index + 1]?.items.flatMap(({ result }) => result ?? []))
    const kept = items.filter(({ call, result }) => {
      if (result !== null) return side === 'user' && waiting.delete(result)
      if (call === null) return true
      const first = side === 'assistant' && answers.has(call) && !called.has(call)
      if (first) called.add(call)
      return first
    })
    waiting = new Set(kept.flatMap(({ call }) => call ?? []))
    paired.push({ side, items: resultsFirst(kept) })
  }
  return alternating(paired)
}

/**
 * A tool that another provider ran has its result in the assistant's own message. The message is split there:
 * text and calls, then a user turn with the results, then the rest.
 */
function resultsAfterCalls({ side, items }: Turn): readonly Turn[] {
  if (side === 'user' || items.every(({ result }) => result === null)) return [{ side, items }]
  const emptyStep = () => ({ content: [] as TurnItem[], results: [] as TurnItem[] })
  const steps = [emptyStep()]
  const stepOfCall = new Map<string, ReturnType<typeof emptyStep>>()
  for (const item of items) {
    let step = steps.at(-1) ?? emptyStep()
    if (item.result !== null) {
      step = stepOfCall.get(item.result) ?? step
      step.results.push(item)
      continue
    }
    if (step.results.length > 0) {
      step = emptyStep()
      steps.push(step)
    }
    step.content.push(item)
    if (item.call !== null) stepOfCall.set(item.call, step)
  }
  return steps.flatMap(({ content, results }): readonly Turn[] => [
    { side, items: content },
    { side: 'user', items: results },
  ])
}

function alternating(turns: readonly Turn[]): readonly Turn[] {
  const filled = turns.filter(({ items }) => items.length > 0)
  return runsOf(filled, ([first], next) => first.side === next.side).map((run) => ({
    side: run[0].side,
    items: resultsFirst(run.flatMap(({ items }) => items)),
  }))
}

function resultsFirst(items: readonly TurnItem[]): readonly TurnItem[] {
  const others = items.filter(({ result }) => result === null)
  return others.length === items.length
    ? items
    : [...items.filter(({ result }) => result !== null), ...others]
}

/** The place of a call without its result, or of a result without its call. */
export interface LoneBlock {
  readonly message: number
  readonly block: number
  readonly why: string
}

/** Repeats until none is left, because omitting a block may leave its partner alone. */
function withoutLone(turns: readonly Turn[], form: TurnForm): readonly Turn[] {
  const arranged = turns.map(form.arrange)
  const places = form.loneIn(arranged)
  const lone = new Set(places.map(({ message, block }) => arranged[message]?.items[block]))
  if (lone.size === 0) return arranged
  const kept = arranged.map(({ side, items }) => ({
    side,
    items: items.filter((item) => !lone.has(item)),
  }))
  return withoutLone(alternating(kept), form)
}

/** The number of system messages at the start, which belong to the instructions. */
export function openingLength(messages: readonly { readonly role: string }[]): number {
  const leading = messages.findIndex(({ role }) => role !== 'system')
  return leading < 0 ? messages.length : leading
}

/** Adds a user turn with filler text where the service requires one. */
function userFirstAndLast(turns: readonly Turn[], filler: JsonObject): readonly Turn[] {
  const fillerTurn = (from: number): Turn => ({
    side: 'user',
    items: [{ json: filler, part: null, from, call: null, result: null }],
  })
  const opened = turns[0]?.side === 'user' ? turns : [fillerTurn(-1), ...turns]
  const last = opened.at(-1)
  if (last?.side !== 'assistant') return opened
  return [...opened, fillerTurn(last.items.at(-1)?.from ?? -1)]
}

/** Groups neighbours into runs, for providers that want roles to alternate. */
export function runsOf<Item>(
  items: readonly Item[],
  joins: (run: readonly [Item, ...Item[]], next: Item) => boolean,
): readonly (readonly [Item, ...Item[]])[] {
  const runs: [Item, ...Item[]][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run !== undefined && joins(run, item)) run.push(item)
    else runs.push([item])
  }
  return runs
}
