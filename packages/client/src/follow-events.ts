/** Server-sent events of a conversation, over as many connections as it takes. */
import type { EngineEvent } from 'throughline'
import { problemIn, refusedError } from './problem.ts'
import { pause, type Sender } from './send.ts'

/** The options of `chat.follow`. */
export interface FollowOptions {
  /** The id of the last event that was processed; left out, events begin with the oldest. */
  readonly lastEventId?: string | undefined
  /** Ends the iteration with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** An event, with the id to continue after; or that the conversation was purged, and its numbers with it. */
export type StreamedEvent =
  | { readonly id: string; readonly event: EngineEvent }
  | { readonly id: null; readonly event: { readonly kind: 'conversation-purged' } }

export async function* followEvents(
  sender: Sender,
  path: readonly (string | number)[],
  { lastEventId = '', signal }: FollowOptions,
): AsyncGenerator<StreamedEvent> {
  const stop = signal === undefined ? sender.signal : AbortSignal.any([sender.signal, signal])
  let last = lastEventId
  for (let failures = 0; ; failures += 1) {
    stop.throwIfAborted()
    // Ends the connection when the caller leaves the loop, or it is silent for too long.
    const connection = new AbortController()
    try {
      const ends = AbortSignal.any([stop, connection.signal])
      const headers = last === '' ? {} : { 'last-event-id': last }
      const response = await sender.open({ path, headers, signal: ends })
      if (!response.ok) {
        const problem = problemIn(await response.arrayBuffer(), response.status)
        if (problem.code === 'NOT_FOUND') return
        if (problem.status < 500 && problem.status !== 429) throw new Refused(refusedError(problem))
      } else
        for await (const { id, name, data } of framesOf(response, connection)) {
          // A conversation of the same name may follow; without one, the next connection ends this.
          if (name === purged) yield { id: null, event: { kind: purged } }
          if (id === '' || id === last) continue
          yield { id, event: JSON.parse(data) as EngineEvent }
          ;[last, failures] = [id, 0]
        }
    } catch (error) {
      stop.throwIfAborted()
      if (error instanceof Refused) throw error.cause
    } finally {
      connection.abort()
    }
    await pause(Math.min(200 * 2 ** failures, longestPauseMs), stop)
  }
}

/** Ends the iteration; any other error is a lost connection. */
class Refused extends Error {
  constructor(cause: unknown) {
    super('refused', { cause })
  }
}

const purged = 'conversation-purged'
const longestPauseMs = 5_000
/** The server writes at least every 15 seconds. */
const silenceMs = 45_000

interface Frame {
  readonly id: string
  readonly name: string
  readonly data: string
}

async function* framesOf(response: Response, connection: AbortController): AsyncGenerator<Frame> {
  const decoder = new TextDecoder()
  let text = ''
  const silent = () => connection.abort(new Error('the event stream is silent'))
  let timer = setTimeout(silent, silenceMs)
  const reader = response.body?.getReader()
  try {
    while (reader !== undefined) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(silent, silenceMs)
      text += decoder.decode(value, { stream: true })
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      yield* frames.map(frameOf)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Our server writes each field once, in lines that end with a line feed. */
function frameOf(frame: string): Frame {
  const lines = frame.split('\n').map((line) => line.split(/: ?(.*)/s))
  const field = (name: string) => lines.find(([found]) => found === name)?.[1] ?? ''
  return { id: field('id'), name: field('event'), data: field('data') }
}
