/**
 * The `fetch` of a wrapped client: records the reply while the client reads it. A request that the provider
 * refuses as too long is sent once more, smaller.
 */
import { createParser } from 'eventsource-parser'
import { type Fields, isObject, parsedJson } from '../adapters/unknown-json.ts'
import {
  appendReply,
  type RecordedRequest,
  requestMetadata,
  smallerRequest,
} from '../calls/recorded-request.ts'
import type { ClientApi } from './client-api.ts'
import { type ReplyReader, withStatus } from './reply-reader.ts'

/** A call whose request was fitted, and its body as the program passed it. */
export interface OpenCall {
  readonly api: ClientApi
  readonly body: Fields
  readonly recorded: RecordedRequest
}

/** The call in the `fetchOptions` of its request: clients pass those on to `fetch`. */
export const openCallKey: unique symbol = Symbol('throughline')

type Fetch = typeof globalThis.fetch

export function recordingFetch(fetch: Fetch): Fetch {
  return async (input, init = {}) => {
    const { [openCallKey]: call, ...sent } = init as RequestInit & { [openCallKey]?: OpenCall }
    if (call === undefined) return fetch(input, init)
    const { api, body, recorded } = call
    const response = await fetch(input, sent)
    if (response.ok) return recordedResponse(response, call, recorded)
    const smaller = await smallerRequest(recorded, await refusalOf(response.clone()))
    if (smaller === null) return response
    await response.body?.cancel()
    const smallerBody = JSON.stringify(api.write(body, smaller.context))
    const next = await fetch(input, { ...sent, body: smallerBody })
    return next.ok ? recordedResponse(next, call, smaller) : next
  }
}

/** In the form in which `overflowed` reads errors. */
async function refusalOf(response: Response): Promise<object> {
  const { status } = response
  const responseBody = await response.text().catch(() => '')
  return { statusCode: status, responseBody, message: '' }
}

function recordedResponse(
  response: Response,
  { api }: OpenCall,
  recorded: RecordedRequest,
): Response {
  const { body, status, statusText, headers, url } = response
  if (body === null) return response
  const isStream = headers.get('content-type')?.includes('text/event-stream') === true
  const read = isStream ? readEvents(api.reply()) : readJson(api.reply())
  const named = new Headers(headers)
  // A non-ASCII id would not be a valid header.
  for (const [name, value] of Object.entries(requestMetadata(recorded)))
    named.set(`x-throughline-${name}`, encodeURI(`${value}`))
  // The body is decoded, so its length differs from what these say.
  named.delete('content-encoding')
  named.delete('content-length')
  const copy = new Response(recordingBody(body, read, recorded), {
    status,
    statusText,
    headers: named,
  })
  return Object.defineProperty(copy, 'url', { value: url })
}

interface BodyReader {
  take(text: string): void
  end(): ReplyReader
}

function readEvents(reply: ReplyReader): BodyReader {
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = parsedJson(data)
      if (isObject(event)) reply.event(event)
    },
  })
  return {
    take: (text) => parser.feed(text),
    end: () => {
      // Some servers do not end their last event.
      parser.feed('\n\n')
      return reply
    },
  }
}

function readJson(reply: ReplyReader): BodyReader {
  let json = ''
  return {
    take: (text) => {
      json += text
    },
    end: () => {
      const body = parsedJson(json)
      if (isObject(body)) reply.whole(body)
      return reply
    },
  }
}

/** Passes the bytes on unchanged, and appends the reply before the body ends. */
function recordingBody(
  source: ReadableStream<Uint8Array>,
  read: BodyReader,
  recorded: RecordedRequest,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  const decoder = new TextDecoder()
  let appended: Promise<void> | null = null
  /** Only the first call appends the reply. */
  const append = (isWhole: boolean): Promise<void> => {
    appended ??= (async () => {
      read.take(decoder.decode())
      const { messages, usage } = read.end().end()
      // More may have arrived than a client that left has read; it may send any part of it back.
      const kept = isWhole ? messages : withStatus(messages, 'incomplete')
      await appendReply(recorded, kept, usage)
    })()
    return appended
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await reader.read().catch(async (error: unknown) => {
          await append(false)
          throw error
        })
        if (next.done) {
          await append(true)
          controller.close()
          return
        }
        read.take(decoder.decode(next.value, { stream: true }))
        controller.enqueue(next.value)
      },
      cancel: async (reason) => {
        await append(false)
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
