/**
 * Mending: a log takes whatever came, a provider takes only sound histories.
 *
 * Every call of the assistant is followed by its results, before anybody else speaks:
 * results that came late are moved there, missing ones are stood in for, and results
 * without a call are told as data. An id that was used before is given a new name.
 * What was done is listed.
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
import { filesOf } from './slots.ts'

interface RepairedMessages {
  readonly messages: readonly ContextMessage[]
  readonly repairs: readonly Repair[]
}

export function repairMessages(history: readonly ContextMessage[]): RepairedMessages {
  const repairs: Repair[] = []
  const messages = history.flatMap((message) => {
    const sound = sanitizeMessage(message)
    if (sound !== message) repairs.push({ kind: 'text-mended', seq: message.seq })
    return sound.role === 'system' ? withoutDocuments(sound, repairs) : [sound]
  })
  if (isPaired(messages)) return { messages, repairs }
  const pairing = pair(messages, repairs)
  const repaired = messages.flatMap((message, at) => {
    const isLast = message.role === 'assistant' && messages[at + 1]?.role !== 'assistant'
    return [...pairing.staying(message), ...(isLast ? pairing.results(at) : [])]
  })
  return { messages: repaired.filter(isFilled), repairs }
}

/** A document has no authority of the system, also where an application put it there. */
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

/** As nearly all histories are: every run of the assistant's calls is answered at once. */
function isPaired(messages: readonly ContextMessage[]): boolean {
  const called = new Set<string>()
  const waiting = new Set<string>()
  let before: ContextMessage['role'] | null = null
  for (const { role, parts } of messages) {
    if (parts.length === 0) return false
    // Only results may come before all calls are answered, and they come behind the run.
    const goesOn = role === 'tool' || (role === 'assistant' && before === 'assistant')
    if (waiting.size > 0 && !goesOn) return false
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

function isFilled({ parts }: ContextMessage): boolean {
  return parts.length > 0
}

interface Pairing {
  /** What of a message stays where it is. */
  staying(message: ContextMessage): readonly ContextMessage[]
  /** The results of the run of assistant messages that ends at that place. */
  results(runEnd: number): readonly ContextMessage[]
}

function pair(messages: readonly ContextMessage[], repairs: Repair[]): Pairing {
  const calls = findCalls(messages, repairs)
  const byPart = new Map<Part, Call>(calls.map((call) => [call.part, call]))
  const byRun = Map.groupBy(calls, (call) => call.runEnd)
  const answered = new Map<Part, Call>()
  for (const call of calls) if (call.result !== null) answered.set(call.result.part, call)
  return {
    staying: (message) => stay(message, { byPart, answered }, repairs),
    results: (runEnd) => {
      const run = byRun.get(runEnd) ?? []
      return [...realResults(run, messages, repairs), ...standIns(run, repairs)]
    },
  }
}

function stay(
  message: ContextMessage,
  pairs: { readonly byPart: Map<Part, Call>; readonly answered: Map<Part, Call> },
  repairs: Repair[],
): readonly ContextMessage[] {
  if (!message.parts.some(isToolUse) || isInPlace(message, pairs.byPart)) return [message]
  const parts = message.parts.flatMap((part): Part[] => {
    if (part.type === 'tool-call') {
      const call = pairs.byPart.get(part)
      if (call === undefined) {
        repairs.push({ kind: 'call-told', seq: message.seq })
        return [toldCall(part)]
      }
      return [call.id === part.callId ? part : { ...part, callId: call.id }]
    }
    if (part.type !== 'tool-result') return [part]
    const call = pairs.answered.get(part)
    if (call === undefined) {
      repairs.push({ kind: 'result-without-call', seq: message.seq })
      return toldResult(part)
    }
    return isInPlaceResult(call) && call.message === message ? [named(part, call)] : []
  })
  if (areSameParts(parts, message.parts)) return [message]
  // What a tool said is nobody's word but the tool's, and not the system's.
  return [{ ...message, role: message.role === 'assistant' ? 'assistant' : 'user', parts }]
}

/** As nearly all are: the assistant calls, and nothing of it has to change. */
function isInPlace({ role, parts }: ContextMessage, byPart: Map<Part, Call>): boolean {
  return (
    role === 'assistant' &&
    parts.every(
      (part) =>
        part.type !== 'tool-result' &&
        (part.type !== 'tool-call' || byPart.get(part)?.id === part.callId),
    )
  )
}

function isToolUse(part: Part): boolean {
  return part.type === 'tool-call' || part.type === 'tool-result'
}

/** Messages with the results of a run, in the order in which they came. */
function realResults(
  run: readonly Call[],
  messages: readonly ContextMessage[],
  repairs: Repair[],
): readonly ContextMessage[] {
  const elsewhere = run.filter((call) => call.result !== null && !isInPlaceResult(call))
  if (elsewhere.length === 0) return []
  const byMessage = Map.groupBy(elsewhere, ({ result }) => result?.message as ContextMessage)
  let next = (run[0]?.runEnd ?? 0) + 1
  const sources = [...byMessage.keys()].sort((left, right) => placeOf(left) - placeOf(right))
  return sources.map((source) => {
    const callOf = new Map(byMessage.get(source)?.map((call) => [call.result?.part as Part, call]))
    if (messages[next] === source) next += 1
    else repairs.push({ kind: 'result-moved', seq: source.seq })
    const parts = source.parts.flatMap((part) => {
      const call = callOf.get(part)
      return call === undefined || part.type !== 'tool-result' ? [] : [named(part, call)]
    })
    const same = source.role === 'tool' && areSameParts(parts, source.parts)
    return same ? source : { ...source, role: 'tool', author: null, meta: null, parts }
  })
}

/** Behind everything in the log where it has no place in it yet. */
function placeOf({ seq }: ContextMessage): number {
  return seq ?? Number.MAX_SAFE_INTEGER
}

/** A tool that the provider ran itself has its result in the same message, and says so. */
function isInPlaceResult({ part, message, result }: Call): boolean {
  const notes = part.metadata?.['aiSdk'] as { readonly providerExecuted?: unknown } | undefined
  return result?.message === message && notes?.providerExecuted === true
}

/** A result under its call's id. */
function named(part: ToolResultPart, { id }: Call): ToolResultPart {
  return part.callId === id ? part : { ...part, callId: id }
}

function standIns(run: readonly Call[], repairs: Repair[]): readonly ContextMessage[] {
  const open = run.filter(({ result }) => result === null)
  for (const { message } of open) repairs.push({ kind: 'call-without-result', seq: message.seq })
  return open.map(({ id, part, message }) => ({
    role: 'tool',
    author: null,
    parts: [
      {
        type: 'tool-result',
        callId: id,
        name: part.name,
        output: { kind: 'text', text: '[no result]' },
        isError: false,
        metadata: null,
      },
    ],
    meta: null,
    seq: null,
    slot: message.slot,
  }))
}

/** A call that somebody else than the assistant made: no provider has a form for it. */
function toldCall({ name, input }: ToolCallPart): Part {
  return placeholderText(dataBlock(`call of ${name}`, input))
}

function toldResult(part: ToolResultPart): Part[] {
  const { name, output } = part
  const of = name === null ? 'a call that is not shown' : `a call of ${name} that is not shown`
  return [
    placeholderText(dataBlock(`result of ${of}`, textsOfOutput(output).join('\n'))),
    ...filesOf(part),
  ]
}

/** The calls of a history, each with the result that belongs to it. */
interface Call {
  readonly part: ToolCallPart
  readonly message: ContextMessage
  /** The place in the list of the last message of its run: results stand behind it. */
  readonly runEnd: number
  readonly id: string
  result: { readonly part: ToolResultPart; readonly message: ContextMessage } | null
}

/** Results belong to the nearest call of their id that has none; later ones to nobody. */
function findCalls(messages: readonly ContextMessage[], repairs: Repair[]): readonly Call[] {
  const calls: Call[] = []
  const waiting = new Map<string, Call[]>()
  const ids = new FreeIds()
  const runEnds = endsOfRuns(messages)
  for (const [at, message] of messages.entries())
    for (const part of message.parts) {
      if (part.type === 'tool-call' && message.role === 'assistant') {
        const id = ids.take(part.callId, message.seq)
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

function endsOfRuns(messages: readonly ContextMessage[]): readonly number[] {
  const ends = messages.map((_, at) => at)
  for (let at = messages.length - 2; at >= 0; at -= 1)
    if (messages[at]?.role === 'assistant' && messages[at + 1]?.role === 'assistant')
      ends[at] = ends[at + 1] ?? at
  return ends
}

/** The newest call; of several in one message the first. */
function nearest(waiting: Call[] | undefined): Call | undefined {
  const newest = waiting?.at(-1)
  if (waiting === undefined || newest === undefined) return undefined
  const at = waiting.findIndex(({ message }) => message === newest.message)
  return waiting.splice(at, 1)[0]
}

/** Providers want each id once. */
class FreeIds {
  readonly #taken = new Set<string>()
  readonly #times = new Map<string, number>()

  take(callId: string, seq: number | null): string {
    let id = callId
    while (this.#taken.has(id)) {
      const times = this.#times.get(callId) ?? 0
      this.#times.set(callId, times + 1)
      id = `${callId}_${seq ?? 0}${times === 0 ? '' : `_${times}`}`
    }
    this.#taken.add(id)
    return id
  }
}
