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
import { sanitizeMessage, textResult } from '../text/sanitize-message.ts'
import { derivedMessage, filesOf } from './slots.ts'

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
  const byRun = Map.groupBy(calls, ({ run }) => run.end)
  const repaired = messages.flatMap((message, at) => {
    const inPlace = repairParts(message, byPart, repairs)
    const run = byRun.get(at) ?? []
    return [
      inPlace,
      ...movedResults(run, messages, at + 1, repairs),
      ...placeholderResults(run, repairs),
    ]
  })
  return { messages: repaired.filter(({ parts }) => parts.length > 0), repairs }
}

/** A system message must not contain documents: they move to a user message after it. */
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
  const calledIds = new Set<string>()
  const unansweredIds = new Set<string>()
  let roleBefore: ContextMessage['role'] | null = null
  for (const { role, parts } of messages) {
    if (parts.length === 0) return false
    // While calls are unanswered, only their results or more calls of the same run may follow.
    const continuesRun = role === 'tool' || (role === 'assistant' && roleBefore === 'assistant')
    if (unansweredIds.size > 0 && !continuesRun) return false
    roleBefore = role
    for (const part of parts) {
      if (part.type === 'tool-result') {
        if (role !== 'tool' || !unansweredIds.delete(part.callId)) return false
      } else if (part.type === 'tool-call') {
        if (role !== 'assistant' || calledIds.has(part.callId)) return false
        calledIds.add(part.callId)
        unansweredIds.add(part.callId)
      } else if (role === 'tool') return false
    }
  }
  return unansweredIds.size === 0
}

/** Without results that move elsewhere; calls and results that providers refuse become text. */
function repairParts(
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
  const moved = run.flatMap((call) =>
    call.result !== null && !isInPlaceResult(call) ? [{ call, ...call.result }] : [],
  )
  // Results that follow their run already need no repair.
  let next = after
  const bySource = [...Map.groupBy(moved, ({ message }) => message)]
  bySource.sort(([left], [right]) => positionOf(left) - positionOf(right))
  return bySource.map(([source, results]) => {
    const callOf = new Map<Part, Call>(results.map(({ part, call }) => [part, call]))
    if (messages[next] === source) next += 1
    else repairs.push({ kind: 'result-moved', seq: source.seq })
    const parts = source.parts.flatMap((part) => {
      const call = callOf.get(part)
      return call === undefined || part.type !== 'tool-result' ? [] : [withCallId(part, call)]
    })
    const isSame = source.role === 'tool' && areSameParts(parts, source.parts)
    return isSame ? source : { ...source, role: 'tool', author: null, meta: null, parts }
  })
}

/** A message that is not in the log yet comes after all others. */
function positionOf({ seq }: ContextMessage): number {
  return seq ?? Number.MAX_SAFE_INTEGER
}

/** A tool that the provider ran itself has its result in the same message and is marked as such. */
function isInPlaceResult({ part, message, result }: Call): boolean {
  const aiSdk = part.metadata?.['aiSdk'] as { readonly providerExecuted?: unknown } | undefined
  return result?.message === message && aiSdk?.providerExecuted === true
}

function withCallId<Use extends ToolCallPart | ToolResultPart>(part: Use, { id }: Call): Use {
  return part.callId === id ? part : { ...part, callId: id }
}

function placeholderResults(run: readonly Call[], repairs: Repair[]): readonly ContextMessage[] {
  return run
    .filter(({ result }) => result === null)
    .map(({ id: callId, part: { name }, message: { seq, slot } }) => {
      repairs.push({ kind: 'call-without-result', seq })
      const part = textResult(callId, name, '[no result]')
      return { ...derivedMessage(slot, [part]), role: 'tool' }
    })
}

function resultAsText(part: ToolResultPart): Part[] {
  const call = part.name === null ? 'a call' : `a call of ${part.name}`
  const text = textsOfOutput(part.output).join('\n')
  return [placeholderText(dataBlock(`result of ${call} that is not shown`, text)), ...filesOf(part)]
}

interface Call {
  readonly part: ToolCallPart
  readonly message: ContextMessage
  /** Consecutive assistant messages; the results follow the last one. */
  readonly run: { readonly end: number }
  /** Its own id, or a new one if another call has that id. */
  readonly id: string
  /** Null until a result is found. */
  result: { readonly part: ToolResultPart; readonly message: ContextMessage } | null
}

/** A result belongs to the nearest earlier call with its id that has no result yet. */
function findCalls(messages: readonly ContextMessage[], repairs: Repair[]): readonly Call[] {
  const calls: Call[] = []
  const unanswered = new Map<string, Call[]>()
  const takeId = uniqueIds()
  let run = { end: 0 }
  for (const [at, message] of messages.entries()) {
    const continuesRun = message.role === 'assistant' && messages[at - 1]?.role === 'assistant'
    if (continuesRun) run.end = at
    else run = { end: at }
    for (const part of message.parts) {
      if (part.type === 'tool-call' && message.role === 'assistant') {
        const id = takeId(part.callId, message.seq)
        if (id !== part.callId) repairs.push({ kind: 'call-renamed', seq: message.seq })
        const call = { part, message, run, id, result: null }
        calls.push(call)
        getOrMake(unanswered, part.callId, (): Call[] => []).push(call)
      } else if (part.type === 'tool-result') {
        const call = takeNearest(unanswered.get(part.callId) ?? [])
        if (call !== undefined) call.result = { part, message }
      }
    }
  }
  return calls
}

/** Removes and returns the newest call; if its message has several, the first of them. */
function takeNearest(unanswered: Call[]): Call | undefined {
  const newest = unanswered.at(-1)
  const at = unanswered.findIndex(({ message }) => message === newest?.message)
  return unanswered.splice(at, 1)[0]
}

/** Providers require unique ids. */
function uniqueIds(): (callId: string, seq: number | null) => string {
  const taken = new Set<string>()
  const renamings = new Map<string, number>()
  return (callId, seq) => {
    let id = callId
    while (taken.has(id)) {
      const count = renamings.get(callId) ?? 0
      renamings.set(callId, count + 1)
      id = `${callId}_${seq ?? 0}${count === 0 ? '' : `_${count}`}`
    }
    taken.add(id)
    return id
  }
}
