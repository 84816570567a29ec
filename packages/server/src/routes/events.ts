/** Events of a conversation, as JSON or as a stream that resumes with Last-Event-ID. */
import type { EngineEvent } from 'throughline'
import * as v from 'valibot'
import { type Call, route } from '../route.ts'
import { pageLimit, wholeNumber } from '../schemas.ts'

const one = '/v1/conversations/{conversation}'

export const eventRoutes = [
  route({
    method: 'GET',
    path: `${one}/events`,
    operation: 'listEvents',
    summary: 'Events after a number, oldest first.',
    query: v.strictObject({ after: wholeNumber, limit: pageLimit }),
    answer: v.strictObject({
      items: v.array(v.looseObject({ number: v.number(), kind: v.string() })),
    }),
    run: async ({ chat, query: { after, limit } }) => ({
      body: { items: await chat.events({ ...(after !== undefined && { after }), limit }) },
    }),
  }),
  route({
    method: 'GET',
    path: `${one}/events/stream`,
    operation: 'streamEvents',
    summary: 'Events as server-sent events; resumes after Last-Event-ID.',
    streams: 'text/event-stream',
    run: async (call) => ({ response: new Response(eventStream(call)) }),
  }),
]

const pollMs = 1000
const keepAliveMs = 15_000

/**
 * The id of an event names the conversation's time of creation too. If the conversation was purged and
 * created again, numbers start again, and a client with an old id gets all events of the new one.
 */
function eventStream(call: Call<unknown, unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const stop = AbortSignal.any([call.request.signal, call.stopping])
  let life = call.conversation?.createdAt ?? 0
  let after = afterOf(call.request.headers.get('last-event-id'), life)
  let pending: readonly EngineEvent[] = []
  let lastWriteAt = performance.now()
  const enqueue = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) => {
    lastWriteAt = performance.now()
    controller.enqueue(encoder.encode(text))
  }
  return new ReadableStream<Uint8Array>({
    start: (controller) => enqueue(controller, 'retry: 1000\n\n'),
    pull: async (controller) => {
      while (!stop.aborted) {
        const row = await call.chat.info()
        if (row === null) {
          enqueue(controller, 'event: conversation-purged\ndata: {}\n\n')
          break
        }
        if (row.createdAt !== life) [life, after] = [row.createdAt, null]
        pending = await call.chat.events({ ...(after !== null && { after }), limit: 100 })
        if (pending.length > 0) {
          after = pending.at(-1)?.number ?? after
          return enqueue(controller, pending.map((event) => frame(event, life)).join(''))
        }
        if (performance.now() - lastWriteAt > keepAliveMs) return enqueue(controller, ': \n\n')
        await nextChange(call, stop)
      }
      controller.close()
    },
  })
}

function frame(event: EngineEvent, life: number): string {
  return `id: ${life}.${event.number}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`
}

function afterOf(id: string | null, life: number): number | null {
  const [, of, number] = /^(\d{1,15})\.(\d{1,15})$/.exec(id ?? '') ?? []
  return of !== undefined && Number(of) === life ? Number(number) : null
}

/** Another process may write too, so this does not wait for long. */
function nextChange(call: Call<unknown, unknown>, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pollMs)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    stop.addEventListener('abort', done, { once: true })
    call.changed().then(() => {
      stop.removeEventListener('abort', done)
      done()
    })
  })
}
