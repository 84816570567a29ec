/** Events of a conversation, as JSON or as a stream that resumes with Last-Event-ID. */
import type { EngineEvent } from 'throughline'
import * as v from 'valibot'
import { type Call, route } from '../route.ts'
import { event, flag, pageLimit, wholeNumber } from '../schemas.ts'

const one = '/v1/conversations/{conversation}'

export const eventRoutes = [
  route({
    method: 'GET',
    path: `${one}/events`,
    operation: 'listEvents',
    summary: 'Events after a number, oldest first; with `newest`, the last ones.',
    query: v.strictObject({ after: wholeNumber, limit: pageLimit, newest: flag }),
    answer: v.strictObject({ items: v.array(event) }),
    run: async ({ chat, query: { after = 0, limit, newest = false } }) => {
      const from = newest ? Math.max(after, (await newestEvent(chat)) - limit) : after
      return { body: { items: await chat.events({ after: from, limit }) } }
    },
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

/** Numbers have no gaps, so a search finds the last one without reading the others. */
async function newestEvent(chat: Call<unknown, unknown>['chat']): Promise<number> {
  const hasAfter = async (number: number) =>
    (await chat.events({ after: number, limit: 1 })).length > 0
  let [none, some] = [1, 0]
  while (await hasAfter(none)) [some, none] = [none, none * 2]
  while (none - some > 1) {
    const middle = Math.floor((some + none) / 2)
    if (await hasAfter(middle)) some = middle
    else none = middle
  }
  return none
}

const pollMs = 1000
const keepAliveMs = 15_000
const purgedFrame = 'event: conversation-purged\ndata: {}\n\n'

/**
 * The id of an event names the conversation's time of creation too. If the conversation was purged and
 * created again, numbers start again: a client with an old id gets `conversation-purged`, then all new events.
 */
function eventStream(call: Call<unknown, unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const change = changesOf(call)
  const [lifeBefore, numberBefore] = placeOf(call.request.headers.get('last-event-id'))
  let life = lifeBefore ?? call.conversation?.createdAt ?? 0
  let after = numberBefore
  let lastWriteAt = performance.now()
  const write = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) => {
    lastWriteAt = performance.now()
    controller.enqueue(encoder.encode(text))
  }
  return new ReadableStream<Uint8Array>({
    start: (controller) => write(controller, 'retry: 1000\n\n'),
    pull: async (controller) => {
      while (!change.ended() && call.isAllowed()) {
        const row = await call.chat.info()
        if (row !== null && row.createdAt !== life) {
          life = row.createdAt
          after = 0
          return write(controller, purgedFrame)
        }
        if (row === null) {
          write(controller, purgedFrame)
          break
        }
        const events = await call.chat.events({ after, limit: 100 })
        if (events.length > 0) {
          after = events.at(-1)?.number ?? after
          return write(controller, events.map((each) => frame(each, life)).join(''))
        }
        if (performance.now() - lastWriteAt > keepAliveMs) return write(controller, ': \n\n')
        await change.next()
      }
      change.close()
      controller.close()
    },
    cancel: () => change.close(),
  })
}

function frame(each: EngineEvent, life: number): string {
  return `id: ${life}.${each.number}\nevent: ${each.kind}\ndata: ${JSON.stringify(each)}\n\n`
}

function placeOf(id: string | null): readonly [life: number | null, after: number] {
  const [, life, number] = /^(\d{1,15})\.(\d{1,15})$/.exec(id ?? '') ?? []
  return life === undefined ? [null, 0] : [Number(life), Number(number)]
}

/** Waits for changes of the conversation, and for the end of the stream. */
function changesOf({ request, stopping, onChange }: Call<unknown, unknown>) {
  let isChanged = false
  let notify = () => {}
  const change = () => {
    isChanged = true
    notify()
  }
  const signals = [request.signal, stopping]
  for (const signal of signals) signal.addEventListener('abort', change)
  const unsubscribe = onChange(change)
  return {
    ended: () => signals.some(({ aborted }) => aborted),
    /** Another process may write too, so this does not wait for long. */
    next: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      notify = resolve
      const timer = setTimeout(resolve, pollMs)
      if (isChanged) resolve()
      await promise
      clearTimeout(timer)
      isChanged = false
    },
    close: () => {
      unsubscribe()
      for (const signal of signals) signal.removeEventListener('abort', change)
    },
  }
}
