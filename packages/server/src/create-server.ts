/** The server as a function from a request to a response: everything around the routes' handlers. */
import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Throughline } from 'throughline'
import * as v from 'valibot'
import type { Access, Key, Role, StoredAnswer, WriteRequest } from './access.ts'
import { openApiDocument } from './open-api.ts'
import { problemOf, problemResponse, Refusal } from './problem.ts'
import { parseJson, readBody } from './read-body.ts'
import type { Answer, Call, Route } from './route.ts'
import { contextRoutes } from './routes/contexts.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { eventRoutes } from './routes/events.ts'
import { keyRoutes } from './routes/keys.ts'
import { messageRoutes } from './routes/messages.ts'
import { type ServerLimits, type ServerLimitsInput, serverLimits } from './settings.ts'
import { createConversationLocks, createRateLimiter, createWakers } from './traffic.ts'

/** Every route, in the order of the OpenAPI document. */
const routes: readonly Route[] = [
  ...conversationRoutes,
  ...messageRoutes,
  ...contextRoutes,
  ...eventRoutes,
  ...keyRoutes,
]

/** What a server needs: the engine, and the database of keys. */
export interface ServerOptions {
  readonly throughline: Throughline
  readonly access: Access
  /** Names that requests may have as their Host, without ports; all if left out. */
  readonly hosts?: readonly string[] | undefined
  /** Origins of browsers that may call; none if left out. */
  readonly origins?: readonly string[] | undefined
  readonly limits?: ServerLimitsInput | undefined
  /** What `/metrics` answers to any key; without it there is no such page. */
  readonly metrics?: (() => Promise<{ readonly text: string; readonly type: string }>) | undefined
  /** Pages by path, beside the API: their answers need no key. */
  readonly pages?:
    | Readonly<Record<string, (request: Request) => Response | Promise<Response>>>
    | undefined
  /** Called after each answer, without content. */
  readonly onAnswer?: ((line: AnswerLine) => void) | undefined
}

/** One answer for logs and metrics: no ids of conversations, no content. */
export interface AnswerLine {
  readonly operation: string
  readonly method: string
  readonly status: number
  readonly durationMs: number
  readonly key: string | null
  readonly error: unknown
}

/** The server, mountable wherever a `Request` is answered with a `Response`. */
export interface Server {
  fetch(request: Request): Promise<Response>
  /** From now on requests get 503 and event streams end. Resolves when running requests are answered. */
  stop(): Promise<void>
}

/**
 * Creates the server.
 *
 * @example
 * const server = createServer({ throughline: tl, access: sqliteAccess('access.db') })
 * const response = await server.fetch(new Request('http://localhost/healthz'))
 */
export function createServer(options: ServerOptions): Server {
  const limits = v.parse(serverLimits, options.limits ?? {})
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  const shared: Shared = {
    ...options,
    limits,
    stopping: stopping.signal,
    running,
    isAllowed: createRateLimiter(limits.requestsPerMinute),
    lock: createConversationLocks(),
    wakers: createWakers(),
  }
  const app = new Hono()
  const document = openApiDocument(routes)
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    await options.throughline.list({ limit: 1 })
    return context.json({ status: 'ready' })
  })
  const { metrics } = options
  if (metrics !== undefined)
    app.get('/metrics', async (context) => {
      authenticate(context.req.raw, shared)
      const { text, type } = await metrics()
      return new Response(text, { headers: { 'content-type': type } })
    })
  app.get('/openapi.json', (context) => context.json(document))
  for (const [path, answer] of Object.entries(options.pages ?? {}))
    app.get(path, (context) => answer(context.req.raw))
  for (const each of routes) {
    const path = each.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(each.method, path, (context) => answerRoute(context, each, shared))
  }
  app.notFound((context) => {
    const known = routes.filter(({ path }) => matches(path, context.req.path))
    const isKnown = known.length > 0
    const allow = [...new Set(known.map(({ method }) => method))].join(', ')
    return problemResponse(
      isKnown ? new Refusal('METHOD_REFUSED', undefined, { allow }) : new Refusal('NOT_FOUND'),
    )
  })
  app.onError(problemResponse)
  return {
    fetch: (request) => {
      const answered = guard(request, shared, () => app.fetch(request))
      running.add(answered)
      const done = () => running.delete(answered)
      answered.then(done, done)
      return answered
    },
    stop: async () => {
      stopping.abort()
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

interface Shared extends ServerOptions {
  readonly limits: ServerLimits
  readonly stopping: AbortSignal
  /** Requests without an answer, and answers whose body is still read. */
  readonly running: Set<Promise<unknown>>
  readonly isAllowed: (key: string) => boolean
  readonly lock: ReturnType<typeof createConversationLocks>
  readonly wakers: ReturnType<typeof createWakers>
}

/** Refuses what no route should see, and sets the headers that every answer has. */
async function guard(
  request: Request,
  { stopping, hosts, origins = [] }: Shared,
  next: () => Response | Promise<Response>,
): Promise<Response> {
  const origin = request.headers.get('origin')
  const url = new URL(request.url)
  const host = (request.headers.get('host') ?? url.host).replace(/:\d+$/, '')
  const refusal = stopping.aborted
    ? new Refusal('STOPPING', undefined, { 'retry-after': '5' })
    : hosts !== undefined && !hosts.includes(host.toLowerCase())
      ? new Refusal('HOST_REFUSED')
      : origin !== null && origin !== url.origin && !origins.includes(origin)
        ? new Refusal('ORIGIN_REFUSED')
        : null
  const response = refusal === null ? await next() : problemResponse(refusal)
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(safeHeaders))
    if (!headers.has(name)) headers.set(name, value)
  return new Response(response.body, { status: response.status, headers })
}

const safeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

async function answerRoute(context: Context, route: Route, shared: Shared): Promise<Response> {
  const startedAt = performance.now()
  let key: Key | null = null
  let failure: unknown = null
  let response: Response
  try {
    key = authenticate(context.req.raw, shared)
    if (rank[key.role] < rank[route.role]) throw new Refusal('ROLE_TOO_LOW')
    response = await withinTime(runRoute(context, route, key, shared), shared.limits.timeoutMs)
  } catch (error) {
    failure = error
    response = problemResponse(error)
  }
  const { status } = response
  if (key !== null && (route.rewrites || (route.role === 'admin' && route.method !== 'GET')))
    shared.access.record({
      tenant: key.tenant,
      key: key.id,
      operation: route.operation,
      subject: context.req.param('conversation') ?? context.req.param('key') ?? '',
      status,
    })
  shared.onAnswer?.({
    operation: route.operation,
    method: route.method,
    status,
    durationMs: performance.now() - startedAt,
    key: key?.id ?? null,
    error: status >= 500 ? failure : null,
  })
  return response
}

const rank: Readonly<Record<Role, number>> = { read: 0, write: 1, admin: 2 }

function authenticate(request: Request, { access, isAllowed }: Shared): Key {
  const [, secret] = /^Bearer (\S{1,200})$/.exec(request.headers.get('authorization') ?? '') ?? []
  const key = secret === undefined ? null : access.findKey(secret)
  if (key === null) throw new Refusal('KEY_MISSING', undefined, { 'www-authenticate': 'Bearer' })
  if (!isAllowed(key.id)) throw new Refusal('RATE_EXCEEDED', undefined, { 'retry-after': '60' })
  return key
}

async function runRoute(
  context: Context,
  route: Route,
  key: Key,
  shared: Shared,
): Promise<Response> {
  const request = context.req.raw
  const { limits, access, wakers } = shared
  const text = route.body === null ? '' : await readBody(request, limits)
  const body = route.body === null ? undefined : parsed(route.body, parseJson(text, limits))
  const query = route.query === null ? {} : parsed(route.query, context.req.query())
  const tenant = shared.throughline.tenant(key.tenant)
  const conversation = context.req.param('conversation') ?? null
  const place = JSON.stringify([key.tenant, conversation])
  const run = async (): Promise<Response> => {
    const chat = tenant.conversation(conversation ?? 'none')
    const row = conversation === null ? null : await chat.info()
    if (conversation !== null && row === null && !route.creates) throw new Refusal('NOT_FOUND')
    const call: Call<unknown, unknown> = {
      ...{ query, body, request, key, access, tenant, chat, conversation: row },
      stopping: shared.stopping,
      param: (name) => context.req.param(name) ?? '',
      changed: () => wakers.wait(place),
      requireMatch: (etag) => requireMatch(request, etag),
    }
    const answer = await route.run(call)
    // Before the answer of this request is stored, which has no content.
    if (conversation !== null && route.rewrites) access.forgetAnswers(key.tenant, conversation)
    return responseOf(answer, route, shared.running)
  }
  const whole = () => (route.guarded || route.rewrites ? shared.lock(place, run) : run())
  const idempotencyKey = request.headers.get('idempotency-key')
  const url = new URL(request.url)
  const write: WriteRequest | null =
    idempotencyKey === null || !route.writes
      ? null
      : {
          tenant: key.tenant,
          key: idempotencyKey.slice(0, 512),
          fingerprint: fingerprintOf(`${route.method} ${url.pathname}${url.search}\n${text}`),
          conversation,
        }
  try {
    return write === null ? await whole() : await once(write, route, access, whole)
  } finally {
    if (conversation !== null && route.method !== 'GET') wakers.wake(place)
  }
}

/** Runs a write at most once for its Idempotency-Key; failures of the server may be tried again. */
async function once(
  write: WriteRequest,
  route: Route,
  access: Access,
  run: () => Promise<Response>,
): Promise<Response> {
  const reservation = access.reserve(write)
  if (reservation.kind === 'answered') return storedResponse(reservation.answer)
  if (reservation.kind === 'running') throw new Refusal('REQUEST_RUNNING')
  if (reservation.kind === 'other-request') throw new Refusal('KEY_REUSED')
  if (reservation.kind === 'interrupted' && !route.repeatable) {
    const answer = await answerOf(problemResponse(new Refusal('OUTCOME_UNKNOWN')))
    access.complete(write, answer)
    return storedResponse(answer)
  }
  try {
    const answer = await answerOf(await run())
    access.complete(write, answer)
    return storedResponse(answer)
  } catch (error) {
    const { status, retryable } = problemOf(error)
    if (status >= 500 || retryable) access.release(write)
    else access.complete(write, await answerOf(problemResponse(error)))
    throw error
  }
}

async function answerOf(response: Response): Promise<StoredAnswer> {
  const { status, headers } = response
  return { status, etag: headers.get('etag'), body: await response.text() }
}

function storedResponse({ status, etag, body }: StoredAnswer): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  return new Response(body, {
    status,
    headers: { 'content-type': type, ...(etag !== null && { etag }) },
  })
}

function responseOf(
  { body, etag, response }: Answer,
  { status, streams }: Route,
  running: Set<Promise<unknown>>,
): Response {
  const type = streams ?? 'application/json'
  const headers = { 'content-type': type, ...(etag !== undefined && { etag }) }
  if (response === undefined) return new Response(JSON.stringify(body), { status, headers })
  const { body: stream } = response
  return new Response(stream && untilRead(stream, running), { status, headers })
}

/** The same stream; it counts as running until it ends or the client is gone. */
function untilRead(
  stream: ReadableStream<Uint8Array>,
  running: Set<Promise<unknown>>,
): ReadableStream<Uint8Array> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  running.add(ended)
  ended.then(() => running.delete(ended))
  const reader = stream.getReader()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        resolve()
      },
      cancel: (reason) => {
        resolve()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

function requireMatch(request: Request, etag: string): void {
  const wanted = request.headers.get('if-match')
  if (wanted === null || wanted === '*') return
  const tags = wanted.split(',').map((tag) => tag.trim())
  if (!tags.includes(etag)) throw new Refusal('VERSION_CHANGED')
}

function parsed(schema: v.GenericSchema, value: unknown): unknown {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Refusal('BODY_INVALID', `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
}

function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function withinTime<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Refusal('TIMED_OUT')), timeoutMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

function matches(path: string, asked: string): boolean {
  const pattern = path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(asked)
}
