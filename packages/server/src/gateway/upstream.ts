/** Calls upstreams. The address comes from the settings alone, and a redirect is not followed. */
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import type { Upstream } from './gateway-settings.ts'
import type { Family } from './wire.ts'

export interface UpstreamRequest {
  readonly method: string
  /** Path and query as the client sent them. */
  readonly path: string
  readonly headers: Headers
  readonly body: string | Uint8Array | null
  readonly signal: AbortSignal
}

export interface UpstreamResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Readable
}

export interface Upstreams {
  send(family: Family, request: UpstreamRequest): Promise<UpstreamResponse>
  /** The headers that the upstream would get; for a client's credentials, whether there are any. */
  hasCredentials(family: Family, headers: Headers): boolean
  close(): Promise<void>
}

const answerTimeoutMs = 15 * 60_000

export function createUpstreams(byFamily: Readonly<Record<Family, Upstream>>): Upstreams {
  const agent = new Agent({ headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs })
  return {
    send: async (family, { method, path, headers, body, signal }) => {
      const upstream = byFamily[family]
      const answer = await agent.request({
        origin: upstream.origin,
        // Both may have the version: http://127.0.0.1:8000/v1 and /v1/messages.
        path: upstream.path + pathBelow(path, upstream.path),
        method: method as Dispatcher.HttpMethod,
        headers: sentHeaders(headers, family, upstream),
        body,
        signal,
      })
      // Whoever reads it gets the error; after an abort, nobody does.
      answer.body.on('error', () => {})
      return {
        status: answer.statusCode,
        headers: returnedHeaders(answer.headers),
        body: answer.body,
      }
    },
    hasCredentials: (family, headers) =>
      byFamily[family].key !== null || credentialHeaders.some((name) => headers.has(name)),
    close: () => agent.destroy(),
  }
}

function pathBelow(path: string, base: string): string {
  const version = /\/v1(?:beta)?$/.exec(base)?.[0]
  return version !== undefined && path.startsWith(`${version}/`) ? path.slice(version.length) : path
}

const credentialHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'] as const

/** Hop by hop, or between the client and us; undici sets host and length. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'host', 'content-length', 'accept-encoding', 'expect'],
])

function isOwn(name: string): boolean {
  return ownHeaders.has(name) || name.startsWith('x-throughline-')
}

function sentHeaders(headers: Headers, family: Family, { key }: Upstream): Record<string, string> {
  const dropped = new Set((headers.get('connection') ?? '').toLowerCase().split(/ *, */))
  const sent: Record<string, string> = {}
  for (const [name, value] of headers) if (!isOwn(name) && !dropped.has(name)) sent[name] = value
  if (key === null) return sent
  for (const name of credentialHeaders) delete sent[name]
  if (family === 'anthropic') sent['x-api-key'] = key
  else if (family === 'gemini') sent['x-goog-api-key'] = key
  else sent['authorization'] = `Bearer ${key}`
  return sent
}

function returnedHeaders(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || isOwn(name)) continue
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each)
  }
  return headers
}
