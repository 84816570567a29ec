/**
 * Builds messages that alternate between user and assistant: merges neighbours of one side, moves results to
 * the message after their call, and puts the user first and last. The engine's contexts are nearly valid;
 * omitting another provider's blocks, or a context made by hand, leaves the gaps that are repaired here.
 */
import type { ContextMessage } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Part } from '../domain/message.ts'
import type { Files } from './media.ts'
import { applicationNote } from './plain-text.ts'

export type Side = 'user' | 'assistant'

/** A block in the form of the service. */
export interface WireBlock {
  readonly json: JsonObject
  /** The part that it was written from; null for filler text. */
  readonly part: Part | null
  /** The index of its message in the context; -1 for filler text before all of them. */
  readonly from: number
  /** The id of the call, if the block is one. */
  readonly callId: string | null
  /** The id of the answered call, if the block is a result. */
  readonly answeredId: string | null
}

export interface WireMessage {
  /** `system` only where the form places system messages between the others. */
  readonly side: Side | 'system'
  readonly blocks: readonly WireBlock[]
}

/** How a service writes its messages. */
export interface WireForm {
  /** Null for a part that the service would refuse. */
  readonly write: (part: Part, side: Side, files: Files) => JsonObject | null
  readonly idsOf: (json: JsonObject, part: Part) => Pick<WireBlock, 'callId' | 'answeredId'>
  /** The JSON of a text block that the author's name may be put into; null for other blocks. */
  readonly textBlockOf: (block: WireBlock) => JsonObject | null
  readonly isBlank: (text: string) => boolean
  readonly loneBlocksIn: (messages: readonly WireMessage[]) => readonly LoneBlock[]
  /** Puts the blocks of a message into the order that the service requires. */
  readonly arrange: (message: WireMessage) => WireMessage
  /** The block of a message that would be empty. */
  readonly filler: JsonObject
  /** Whether the service takes this system message between the others; it is then left out here. */
  readonly isSystemMessage?: (message: ContextMessage) => boolean
}

export function alternatingMessages(
  messages: readonly ContextMessage[],
  files: Files,
  form: WireForm,
): readonly WireMessage[] {
  const written = messages.map((message, from) => writeMessage(message, from, files, form))
  const paired = pairedMessages(written.slice(openingLength(messages)))
  return userFirstAndLast(withoutLoneBlocks(paired, form), form.filler)
}

function writeMessage(message: ContextMessage, from: number, files: Files, form: WireForm) {
  const side: Side = message.role === 'assistant' ? 'assistant' : 'user'
  if (form.isSystemMessage?.(message) === true) return { side, blocks: [] }
  const parts = message.role === 'system' ? applicationNote(message.parts) : message.parts
  const blocks = parts.flatMap((part): readonly WireBlock[] => {
    // Other providers have results in the assistant's own message; `resultsAfterCalls` moves them.
    const json = form.write(part, part.type === 'tool-result' ? 'user' : side, files)
    return json === null ? [] : [{ json, part, from, ...form.idsOf(json, part) }]
  })
  return { side, blocks: side === 'user' ? withAuthor(blocks, message.author, form) : blocks }
}

/** The service has no field for names of speakers, so the text starts with the author. */
function withAuthor(blocks: readonly WireBlock[], author: string | null, form: WireForm) {
  const index = blocks.findIndex((block) => form.textBlockOf(block) !== null)
  const block = blocks[index]
  if (author === null || form.isBlank(author) || block === undefined) return blocks
  const json = form.textBlockOf(block)
  return blocks.with(index, { ...block, json: { ...json, text: `${author}: ${json?.['text']}` } })
}

/** Keeps the first call of each id that the next message answers, and the first result of each. */
function pairedMessages(messages: readonly WireMessage[]): readonly WireMessage[] {
  const paired: WireMessage[] = []
  const keptCalls = new Set<string>()
  let unanswered = new Set<string>()
  const merged = mergeSides(mergeSides(messages).flatMap(resultsAfterCalls))
  for (const [index, { side, blocks }] of merged.entries()) {
    const answeredNext = new Set(merged[index + 1]?.blocks.map(({ answeredId }) => answeredId))
    const kept = blocks.filter(({ callId, answeredId }) => {
      if (answeredId !== null) return side === 'user' && unanswered.delete(answeredId)
      if (callId === null) return true
      if (side === 'user' || !answeredNext.has(callId) || keptCalls.has(callId)) return false
      keptCalls.add(callId)
      return true
    })
    unanswered = new Set(kept.flatMap(({ callId }) => callId ?? []))
    paired.push({ side, blocks: resultsFirst(kept) })
  }
  return mergeSides(paired)
}

/**
 * A tool that another provider ran has its result in the assistant's own message. The message is split there:
 * text and calls, then a user message with the results, then the rest. Calls that the next message answers
 * come last, directly before it.
 */
function resultsAfterCalls({ side, blocks }: WireMessage): readonly WireMessage[] {
  if (side === 'user' || blocks.every(({ answeredId }) => answeredId === null))
    return [{ side, blocks }]
  const answeredHere = new Set(blocks.map(({ answeredId }) => answeredId))
  const isAnsweredLater = ({ callId }: WireBlock) => callId !== null && !answeredHere.has(callId)
  const emptyStep = () => ({ content: [] as WireBlock[], results: [] as WireBlock[] })
  let step = emptyStep()
  const steps = [step]
  const stepOfCall = new Map<string, typeof step>()
  for (const block of blocks) {
    if (isAnsweredLater(block)) continue
    if (block.answeredId !== null) {
      const { results } = stepOfCall.get(block.answeredId) ?? step
      results.push(block)
      continue
    }
    if (step.results.length > 0) {
      step = emptyStep()
      steps.push(step)
    }
    step.content.push(block)
    if (block.callId !== null) stepOfCall.set(block.callId, step)
  }
  const split = steps.flatMap(({ content, results }): readonly WireMessage[] => [
    { side, blocks: content },
    { side: 'user', blocks: results },
  ])
  return [...split, { side, blocks: blocks.filter(isAnsweredLater) }]
}

/** Merges neighbours of one side, and drops empty messages. */
function mergeSides(messages: readonly WireMessage[]): readonly WireMessage[] {
  const filled = messages.filter(({ blocks }) => blocks.length > 0)
  return runsOf(filled, ([first], next) => first.side === next.side).map((run) => {
    const [{ side }] = run
    const blocks = run.flatMap((message) => message.blocks)
    return { side, blocks: side === 'user' ? resultsFirst(blocks) : blocks }
  })
}

function resultsFirst(blocks: readonly WireBlock[]): readonly WireBlock[] {
  return [
    ...blocks.filter(({ answeredId }) => answeredId !== null),
    ...blocks.filter(({ answeredId }) => answeredId === null),
  ]
}

/** The indexes of a call without its result, or of a result without its call. */
export interface LoneBlock {
  readonly message: number
  readonly block: number
  readonly problem: string
}

/** Repeats until none is left, because omitting a block may leave its partner alone. */
function withoutLoneBlocks(
  messages: readonly WireMessage[],
  form: WireForm,
): readonly WireMessage[] {
  const arranged = messages.map(form.arrange)
  const found = form.loneBlocksIn(arranged)
  const lone = new Set(found.map(({ message, block }) => arranged[message]?.blocks[block]))
  if (lone.size === 0) return arranged
  const kept = arranged.map(({ side, blocks }) => ({
    side,
    blocks: blocks.filter((block) => !lone.has(block)),
  }))
  return withoutLoneBlocks(mergeSides(kept), form)
}

/** The number of system messages at the start, which belong to the instructions. */
export function openingLength(messages: readonly { readonly role: string }[]): number {
  const firstOther = messages.findIndex(({ role }) => role !== 'system')
  return firstOther < 0 ? messages.length : firstOther
}

/** Adds a user message with filler text where the service requires one. */
function userFirstAndLast(messages: readonly WireMessage[], filler: JsonObject) {
  const fillerMessage = (from: number): WireMessage => ({
    side: 'user',
    blocks: [{ json: filler, part: null, from, callId: null, answeredId: null }],
  })
  const opened = messages[0]?.side === 'user' ? messages : [fillerMessage(-1), ...messages]
  const last = opened.at(-1)
  if (last?.side !== 'assistant') return opened
  return [...opened, fillerMessage(last.blocks.at(-1)?.from ?? -1)]
}

/** Groups neighbours into runs; `joins` says whether an item continues the current run. */
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
