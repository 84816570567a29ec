/** Turns an answer into bytes on the wire, with the fault for this request. */

import type { ServerResponse } from 'node:http'
import type { Fields } from '../../packages/throughline/src/adapters/unknown-json.ts'
import { isStatusFault, type ModelFault, type StatusFault } from './faults.ts'
import type { ModelAnswer, ModelApi, ServerEvent, ServiceError } from './responder.ts'
import type { FaultPace, ServedRequest } from './settings.ts'

export type Delivery =
  | { readonly kind: 'silence' }
  | { readonly kind: 'reset' }
  | {
      readonly kind: 'body'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly chunks: Iterable<string>
      readonly pace: 'at-once' | 'byte-by-byte'
      /** What happens after the last chunk. */
      readonly ending: 'whole' | 'lost' | 'reset' | 'silence'
    }

type BodyDelivery = Extract<Delivery, { readonly kind: 'body' }>

/** A delivery whose chunks are all in memory. */
type WholeDelivery = BodyDelivery & { readonly chunks: readonly string[] }

interface Outgoing {
  readonly api: ModelApi
  readonly answer: ModelAnswer
  readonly body: Fields
  readonly stream: boolean
  readonly pace: FaultPace
  readonly nowMs: number
}

export function errorDelivery(api: ModelApi, error: ServiceError): BodyDelivery {
  return json(JSON.stringify(api.error(error)), error.status)
}

export function deliveryOf(outgoing: Outgoing, fault: ModelFault | null): Delivery {
  if (fault !== null && isStatusFault(fault)) return statusDelivery(outgoing, fault)
  const valid = validDelivery(outgoing)
  switch (fault) {
    case 'hang':
      return { kind: 'silence' }
    case 'reset':
      return { kind: 'reset' }
    case 'hang-after-headers':
      return { ...valid, chunks: [], ending: 'silence' }
    case 'reset-after-headers':
      return { ...valid, chunks: [], ending: 'reset' }
    case 'slow':
      return { ...valid, pace: 'byte-by-byte' }
    case 'truncated-stream':
      return { ...valid, chunks: firstHalf(valid.chunks), ending: 'lost' }
    case 'truncated-json':
      return { ...valid, chunks: firstHalf(valid.chunks) }
    case 'error-event':
      return errorEventDelivery(outgoing, valid)
    case 'wrong-shape':
      return { ...valid, chunks: wrongShape(outgoing) }
    case 'html-body':
      return { ...json(page, 200), headers: { 'content-type': 'text/html; charset=UTF-8' } }
    case 'empty-body':
      return { ...valid, chunks: [] }
    case 'huge':
      return { ...valid, chunks: hugeChunks(outgoing) }
    default:
      // Content faults are already in the answer.
      return valid
  }
}

function validDelivery({ api, answer, body, stream }: Outgoing): WholeDelivery {
  if (!stream) return json(JSON.stringify(api.whole(answer, body)), 200)
  return {
    ...json('', 200),
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    chunks: api.events(answer, body).map(eventText),
  }
}

function json(text: string, status: number): WholeDelivery {
  const headers = { 'content-type': 'application/json' }
  return { kind: 'body', status, headers, chunks: [text], pace: 'at-once', ending: 'whole' }
}

function eventText({ event, data }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === null ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

/** Cuts inside the middle chunk, so that both the cut and the missing end are visible. */
function firstHalf(chunks: readonly string[]): readonly string[] {
  const middle = middleOf(chunks)
  const cut = chunks[middle] ?? ''
  return [...chunks.slice(0, middle), cut.slice(0, Math.floor(cut.length / 2))]
}

/** Before the event that says why the answer ended, however short the answer is. */
function middleOf(list: readonly unknown[]): number {
  return Math.floor((list.length - 1) / 2)
}

const page =
  '<!DOCTYPE html>\n<html><head><title>Please wait</title></head><body><h1>One moment</h1></body></html>\n'

function statusDelivery({ api, pace, nowMs }: Outgoing, fault: StatusFault): BodyDelivery {
  const error = statusError(api, fault)
  const delivery = errorDelivery(api, error)
  const retry = retryHeaders(fault, pace.retryAfterMs, nowMs)
  return { ...delivery, headers: { ...delivery.headers, ...retry } }
}

function statusError(api: ModelApi, fault: StatusFault): ServiceError {
  const at = null
  switch (fault) {
    case 'rate-limit':
    case 'rate-limit-date':
    case 'rate-limit-ms':
      return { status: 429, kind: 'rate-limit', at, message: 'Rate limit reached for requests' }
    case 'server-error':
      return {
        status: 500,
        kind: 'server',
        at,
        message: 'The server had an error while processing your request. Sorry about that!',
      }
    case 'unavailable':
      return { status: 503, kind: 'overloaded', at, message: 'Service temporarily unavailable' }
    case 'overloaded':
      return {
        status: api.name === 'anthropic-messages' ? 529 : 503,
        kind: 'overloaded',
        at,
        message: 'Overloaded',
      }
  }
}

function retryHeaders(
  fault: StatusFault,
  retryAfterMs: number,
  nowMs: number,
): Readonly<Record<string, string>> {
  // HTTP dates have whole seconds, and a client that retries too early is refused again.
  const seconds = Math.ceil(retryAfterMs / 1000)
  switch (fault) {
    case 'rate-limit':
      return { 'retry-after': `${seconds}` }
    case 'rate-limit-date': {
      const at = Math.ceil((nowMs + retryAfterMs) / 1000) * 1000
      return { 'retry-after': new Date(at).toUTCString() }
    }
    case 'rate-limit-ms':
      return { 'retry-after': `${seconds}`, 'retry-after-ms': `${retryAfterMs}` }
    case 'server-error':
    case 'unavailable':
    case 'overloaded':
      return {}
  }
}

function errorEventDelivery(
  { api, answer, body, stream }: Outgoing,
  valid: BodyDelivery,
): BodyDelivery {
  const error: ServiceError = { status: 200, kind: 'overloaded', message: 'Overloaded', at: null }
  if (!stream) return { ...valid, chunks: [JSON.stringify(api.error(error))] }
  const events = api.events(answer, body)
  const before = events.slice(0, middleOf(events))
  return { ...valid, chunks: [...before, api.errorEvent(error, before.length)].map(eventText) }
}

function wrongShape({ stream }: Outgoing): readonly string[] {
  const data = { ok: true, result: { output: 'Yes.' } }
  return [stream ? eventText({ event: null, data }) : JSON.stringify(data)]
}

const filler = 'and so on, '.repeat(6_000)
const marker = 'the-long-part'

/** Generated while it is sent, so that the server never holds it in memory. */
function* hugeChunks({ api, answer, body, stream, pace }: Outgoing): Generator<string> {
  const times = Math.ceil(pace.hugeBytes / filler.length)
  const marked = { ...answer, text: marker, thinking: null, refusal: null }
  const pieces = stream
    ? api.events(marked, body).map(eventText)
    : [JSON.stringify(api.whole(marked, body))]
  const long = pieces.findIndex((piece) => piece.includes(marker))
  for (const [index, piece] of pieces.entries()) {
    if (index !== long) yield piece.replace(marker, 'and so on')
    else if (stream) for (let time = 0; time < times; time += 1) yield piece.replace(marker, filler)
    else {
      const [before = '', after = ''] = piece.split(marker)
      yield before
      for (let time = 0; time < times; time += 1) yield filler
      yield after
    }
  }
}

/** Sends a delivery and reports how it ended. No timer outlives the connection. */
export async function send(
  response: ServerResponse,
  delivery: Delivery,
  pace: FaultPace,
): Promise<NonNullable<ServedRequest['ended']>> {
  switch (delivery.kind) {
    case 'silence':
      await closed(response)
      return 'left'
    case 'reset':
      response.socket?.resetAndDestroy()
      return 'cut'
    case 'body':
      return sendBody(response, delivery, pace)
  }
}

async function sendBody(
  response: ServerResponse,
  delivery: BodyDelivery,
  pace: FaultPace,
): Promise<NonNullable<ServedRequest['ended']>> {
  response.writeHead(delivery.status, delivery.headers)
  response.flushHeaders()
  for (const chunk of delivery.chunks) {
    if (response.destroyed) return 'left'
    if (delivery.pace === 'at-once') await write(response, chunk)
    else await writeSlowly(response, chunk, pace.byteEveryMs)
  }
  if (response.destroyed) return 'left'
  switch (delivery.ending) {
    case 'whole':
      response.end()
      await closed(response)
      return response.writableFinished ? 'whole' : 'left'
    case 'lost':
      response.destroy()
      return 'cut'
    case 'reset':
      // A reset discards bytes in transit, so the headers get time to arrive.
      await pause(response, pace.resetAfterMs)
      response.socket?.resetAndDestroy()
      return 'cut'
    case 'silence':
      await closed(response)
      return 'left'
  }
}

const encoder = new TextEncoder()

async function writeSlowly(
  response: ServerResponse,
  chunk: string,
  byteEveryMs: number,
): Promise<void> {
  for (const byte of encoder.encode(chunk)) {
    if (response.destroyed) return
    await write(response, Uint8Array.of(byte))
    await pause(response, byteEveryMs)
  }
}

/** Waits until the system took the chunk: nothing piles up, and a cut comes after it. */
function write(response: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  if (chunk.length === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      response.off('close', settle)
      resolve()
    }
    response.on('close', settle)
    response.write(chunk, settle)
  })
}

function pause(response: ServerResponse, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) {
      resolve()
      return
    }
    const settle = () => {
      clearTimeout(timer)
      response.off('close', settle)
      resolve()
    }
    const timer = setTimeout(settle, milliseconds)
    response.on('close', settle)
  })
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed || response.destroyed) resolve()
    else response.once('close', () => resolve())
  })
}
