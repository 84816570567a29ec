/**
 * Repairs messages so that providers accept them; the log itself may contain anything.
 *
 * Each run of calls is followed directly by its results: late results are moved, missing ones get
 * a placeholder, results without a call become text, and reused ids are renamed.
 */
import type { ContextMessage, Repair } from '../../domain/context.ts'
import { dataBlock } from '../../domain/data-block.ts'
import {
  type Part,
  placeholderText,
  type ToolCallPart,
  type ToolResultPart,
  textsOfOutput,
} from '../../domain/message.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { areSameParts } from '../text/map-strings.ts'
import { isDocument } from '../text/message-text.ts'
import { sanitizeMessage } from '../text/sanitize-message.ts'
import { derived, filesOf } from './slots.ts'

export function repairMessages(history: readonly ContextMessage[]) {
  const repairs: Repair[] = []
  const messages = history.flatMap((message) => {
    const clean = sanitizeMessage(message)
    if (clean !== message) repairs.push({ kind: 'text-repaired', seq: message.seq })
    return clean.role === 'system' ? withoutDocuments(clean, repairs) : [clean]
  })
  if (isPaired(messages)) return { messages, repairs }
  const calls = findCalls(messages, repairs)
  const byPart = new Map<Part, Call>(calls.map((call) => [call.part, call]))
  for (const call of calls) if (call.result !== null) byPart.set(call.result.part, call)
  const byRun = Map.groupBy(calls, (call) => call.runEnd)
  const repaired = messages.flatMap((message, at) => {
    const kept = keepPlacedParts(message, byPart, repairs)
    const run = byRun.get(at) ?? []
    return [
      kept,
      ...movedResults(run, messages, at + 1, repairs),
      ...placeholderResults(run, repairs),
    ]
  })
  return { messages: repaired.filter(({ parts }) => parts.length > 0), repairs }
}

function withoutDocuments(message: ContextMessage, repairs: Repair[]): readonly ContextMessage[] {
  const documents = message.parts.filter(isDocument)
  if (documents.length === 0) return [message]
  repairs.push({ kind: 'document-moved', seq: message.seq })
  const others = message.parts.filter((part) => !isDocument(part))
  return [
    ...(others.length === 0 ? [] : [{ ...message, parts: others }]),
    { ...message, role: 'user', author: null, meta: null, parts: documents },
  ]
}

/** Whether every call is answered directly after its run, as in nearly all conversations. */
function isPaired(messages: readonly ContextMessage[]): boolean {
  const called = new Set<string>()
  const waiting = new Set<string>()
  let before: ContextMessage['role'] | null = null
  for (const { role, parts } of messages) {
    if (parts.length === 0) return false
    // While calls are unanswered, only their results or more calls of the same run may follow.
    const continuesRun = role === 'tool' || (role === 'assistant' && before === 'assistant')
    if (waiting.size > 0 && !continuesRun) return false
    before = role
    for (const part of parts) {
      if (part.type === 'tool-result') {
        if (role !== 'tool' || !waiting.delete(part.callId)) return false
      } else if (part.type === 'tool-call') {
        if (role !== 'assistant' || called.has(part.callId)) return false
        called.add(part.callId)
        waiting.add(part.callId)
      } else if (role === 'tool') return false
    }
  }
  return waiting.size === 0
}

function keepPlacedParts(
  message: ContextMessage,
  byPart: ReadonlyMap<Part, Call>,
  repairs: Repair[],
): ContextMessage {
  const parts = message.parts.flatMap((part): readonly Part[] => {
    const call = byPart.get(part)
    if (part.type === 'tool-call') {
      if (call !== undefined) return [withCallId(part, call)]
      repairs.push({ kind: 'call-as-text', seq: message.seq })
      // Providers accept calls only from the assistant.
      return [placeholderText(dataBlock(`call of ${part.name}`, part.input))]
    }
    if (part.type !== 'tool-result') return [part]
    if (call === undefined) {
      repairs.push({ kind: 'result-without-call', seq: message.seq })
      return resultAsText(part)
    }
    return isInPlaceResult(call) && call.message === message ? [withCallId(part, call)] : []
  })
  if (areSameParts(parts, message.parts)) return message
  // Tool output must not get the authority of the system role.
  return { ...message, role: message.role === 'assistant' ? 'assistant' : 'user', parts }
}

function movedResults(
  run: readonly Call[],
  messages: readonly ContextMessage[],
  /** The index of the message after the run. */
  after: number,
  repairs: Repair[],
): readonly ContextMessage[] {
  const elsewhere = run.flatMap((call) =>
    call.result !== null && !isInPlaceResult(call) ? [{ call, ...call.result }] : [],
  )
  let next = after
  const bySource = [...Map.groupBy(elsewhere, ({ message }) => message)]
  bySource.sort(([left], [right]) => positionOf(left) - positionOf(right))
  return bySource.map(([source, results]) => {
    const callOf = new Map<Part, Call>(results.map(({ part, call }) => [part, call]))
    if (messages[next] === source) next += 1
    else repairs.push({ kind: 'result-moved', seq: source.seq })
    const parts = source.parts.flatMap((part) => {
      const call = callOf.get(part)
      return call === undefined || part.type !== 'tool-result' ? [] : [withCallId(part, call)]
    })
    const same = source.role === 'tool' && areSameParts(parts, source.parts)
    return same ? source : { ...source, role: 'tool', author: null, meta: null, parts }
  })
}

/** A message that is not in the log yet comes after all others. */
function positionOf({ seq }: ContextMessage): number {
  return seq ?? Number.MAX_SAFE_INTEGER
}

/** A tool that the provider ran itself has its result in the same message and is marked as such. */
function isInPlaceResult({ part, message, result }: Call): boolean {
  const notes = part.metadata?.['aiSdk'] as { readonly providerExecuted?: unknown } | undefined
  return result?.message === message && notes?.providerExecuted === true
}

function withCallId<Use extends ToolCallPart | ToolResultPart>(part: Use, { id }: Call): Use {
  return part.callId === id ? part : { ...part, callId: id }
}

function placeholderResults(run: readonly Call[], repairs: Repair[]): readonly ContextMessage[] {
  return run
    .filter(({ result }) => result === null)
    .map(({ id: callId, part: { name }, message: { seq, slot } }) => {
      repairs.push({ kind: 'call-without-result', seq })
      const output = { kind: 'text', text: '[no result]' } as const
      const part: Part = {
        ...{ type: 'tool-result', callId, name, output },
        ...{ isError: false, metadata: null },
      }
      return { ...derived(slot, [part]), role: 'tool' }
    })
}

function resultAsText(part: ToolResultPart): Part[] {
  const { name, output } = part
  const of = name === null ? 'a call that is not shown' : `a call of ${name} that is not shown`
  return [
    placeholderText(dataBlock(`result of ${of}`, textsOfOutput(output).join('\n'))),
    ...filesOf(part),
  ]
}

interface Call {
  readonly part: ToolCallPart
  readonly message: ContextMessage
  /** The index of the last message of its run of calls; the results follow it. */
  readonly runEnd: number
  readonly id: string
  result: { readonly part: ToolResultPart; readonly message: ContextMessage } | null
}

/** A result belongs to the nearest earlier call with its id that has no result yet. */
function findCalls(messages: readonly ContextMessage[], repairs: Repair[]): readonly Call[] {
  const calls: Call[] = []
  const waiting = new Map<string, Call[]>()
  const takeId = uniqueIds()
  const runEnds = runEndIndexes(messages)
  for (const [at, message] of messages.entries())
    for (const part of message.parts) {
      if (part.type === 'tool-call' && message.role === 'assistant') {
        const id = takeId(part.callId, message.seq)
        if (id !== part.callId) repairs.push({ kind: 'call-renamed', seq: message.seq })
        const call = { part, message, runEnd: runEnds[at] ?? at, id, result: null }
        calls.push(call)
        getOrMake(waiting, part.callId, (): Call[] => []).push(call)
      } else if (part.type === 'tool-result') {
        const call = nearest(waiting.get(part.callId))
        if (call !== undefined) call.result = { part, message }
      }
    }
  return calls
}

function runEndIndexes(messages: readonly ContextMessage[]): readonly number[] {
  const ends = messages.map((_, at) => at)
  for (let at = messages.length - 2; at >= 0; at -= 1)
    if (messages[at]?.role === 'assistant' && messages[at + 1]?.role === 'assistant')
      ends[at] = ends[at + 1] ?? at
  return ends
}

/** The newest waiting call; if its message has several, the first of them. */
function nearest(waiting: Call[] = []): Call | undefined {
  const newest = waiting.at(-1)?.message
  return waiting.splice(
    waiting.findIndex(({ message }) => message === newest),
    1,
  )[0]
}

/** Providers require unique ids. */
function uniqueIds(): (callId: string, seq: number | null) => string {
  const taken = new Set<string>()
  const times = new Map<string, number>()
  return (callId, seq) => {
    let id = callId
    while (taken.has(id)) {
      const before = times.get(callId) ?? 0
      times.set(callId, before + 1)
      id = `${callId}_${seq ?? 0}${before === 0 ? '' : `_${before}`}`
    }
    taken.add(id)
    return id
  }
}
