/** The calls of a history, each with the result that belongs to it. */
import type { ContextMessage, Repair } from '../../domain/context.ts'
import type { ToolCallPart, ToolResultPart } from '../../domain/message.ts'

export interface Call {
  readonly part: ToolCallPart
  readonly message: ContextMessage
  /** The place in the list of the last message of its run: results stand behind it. */
  readonly runEnd: number
  readonly id: string
  result: { readonly part: ToolResultPart; readonly message: ContextMessage } | null
}

/** Results belong to the nearest call of their id that has none; later ones to nobody. */
export function findCalls(messages: readonly ContextMessage[], repairs: Repair[]): readonly Call[] {
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
        const others = waiting.get(part.callId)
        if (others === undefined) waiting.set(part.callId, [call])
        else others.push(call)
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
