/** The server as a function from a request to a response: pages, routes, and what guards them. */
import { Hono } from 'hono'
import type { LanguageModel, Throughline } from 'throughline'
import * as v from 'valibot'
import type { Access, Key } from './access.ts'
import { type AnswerLine, answerRoute, authenticate, type Shared } from './answer-route.ts'
import { docsHeaders, docsPage } from './docs-page.ts'
import { createGateway } from './gateway/gateway.ts'
import type { GatewayIndex } from './gateway/gateway-index.ts'
import type { GatewayOptions } from './gateway/gateway-request.ts'
import { gatewayPaths } from './gateway/gateway-routes.ts'
import type { McpAnswerer } from './mcp/answer-mcp.ts'
import { openApiDocument } from './open-api.ts'
import { problemResponse, Refusal } from './problem.ts'
import { createProxies, type Reached } from './proxies.ts'
import type { Route } from './route.ts'
import { contextRoutes } from './routes/contexts.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { eventRoutes } from './routes/events.ts'
import { inspectionRoutes } from './routes/inspection.ts'
import { keyRoutes } from './routes/keys.ts'
import { knowledgeRoutes } from './routes/knowledge.ts'
import { messageRoutes } from './routes/messages.ts'
import { replyRoutes } from './routes/replies.ts'
import { transcriptRoutes } from './routes/transcripts.ts'
import { type ServerLimitsInput, serverLimits } from './settings.ts'
import { createConversationLocks, createPacer, createRateLimiter, createWakers } from './traffic.ts'

/** Every route, in the order of the OpenAPI document. */
const routes: readonly Route[] = [
  ...conversationRoutes,
  ...messageRoutes,
  ...contextRoutes,
  ...replyRoutes,
  ...knowledgeRoutes,
  ...transcriptRoutes,
  ...inspectionRoutes,
  ...eventRoutes,
  ...keyRoutes,
]

/** What a server needs: the engine, and the database of keys. */
export interface ServerOptions {
  readonly throughline: Throughline
  readonly access: Access
  /** Names that requests may have as their Host, without ports; all if left out. */
  readonly hosts?: readonly string[] | undefined
  /** Origins of other sites whose pages may call; none if left out. */
  readonly origins?: readonly string[] | undefined
  /** Addresses and networks of proxies whose `X-Forwarded-` headers count; none if left out. */
  readonly trustedProxies?: readonly string[] | undefined
  readonly limits?: ServerLimitsInput | undefined
  /** What `/metrics` answers to any key; without it there is no such page. */
  readonly metrics?: (() => Promise<{ readonly text: string; readonly type: string }>) | undefined
  /** The model that answers in a chat; none if left out. */
  readonly chatModel?: LanguageModel | null | undefined
  /** The key of a request that has none of its own, such as a call of the inspector. */
  readonly sessionKey?: ((request: Request) => Key | null) | undefined
  /** Pages by path, beside the API: their answers need no key. */
  readonly pages?:
    | Readonly<Record<string, (request: Request) => Response | Promise<Response>>>
    | undefined
  /** Passes requests to models on, beside the API; without it there is no gateway. */
  readonly gateway?: GatewayParts | undefined
  /** Called after each answer, without content. */
  readonly onAnswer?: ((line: AnswerLine) => void) | undefined
}

/** What the gateway needs beside what the server has. */
export type GatewayParts = Pick<GatewayOptions, 'index' | 'upstreams' | 'settings' | 'onDecision'>

/** The server, mountable wherever a `Request` is answered with a `Response`. */
export interface Server {
  /** `peer`: the address at the other end of the connection, where it is known. */
  fetch(request: Request, peer?: string | null): Promise<Response>
  /**
   * From now on requests get 503 and event streams end. Resolves when running requests are answered and
   * their bodies are read, or after 30 s; what still runs then is aborted.
   */
  stop(): Promise<void>
}

const drainMs = 30_000

/**
 * Creates the server.
 *
 * @example
 * const server = createServer({ throughline: tl, access: sqliteAccess('access.db') })
 * const response = await server.fetch(new Request('http://localhost/healthz'))
 */
export function createServer(options: ServerOptions): Server {
  const limits = v.parse(serverLimits, options.limits ?? {})
  const [stopping, overdue] = [new AbortController(), new AbortController()]
  const running = new Set<Promise<unknown>>()
  const track = (work: Promise<unknown>) => {
    running.add(work)
    const done = () => running.delete(work)
    work.then(done, done)
  }
  const shared: Shared = {
    ...{ throughline: options.throughline, access: options.access, onAnswer: options.onAnswer },
    ...{ limits, track, stopping: stopping.signal, overdue: overdue.signal },
    chatModel: options.chatModel ?? null,
    sessionKey: options.sessionKey ?? (() => null),
    waitMs: createRateLimiter(limits.requestsPerMinute),
    lock: createConversationLocks(),
    pace: createPacer(),
    writes: new Map(),
    streams: new Map(),
    wakers: createWakers(),
  }
  const guard = guardOf(options)
  const reachedBy = createProxies(options.trustedProxies ?? [])
  const app = appOf(options, shared)
  const answer = async (request: Request, peer: string | null) => {
    const reached = reachedBy(request, peer)
    const refusal = stopping.signal.aborted ? stoppingRefusal() : guard.refusalOf(request, reached)
    const response =
      refusal === null ? await app.fetch(request, { reached }) : problemResponse(refusal)
    // A page's own headers win.
    for (const [name, value] of Object.entries(guard.headersOf(request)))
      if (!response.headers.has(name)) response.headers.set(name, value)
    return response
  }
  return {
    fetch: (request, peer = null) => {
      const answered = answer(request, peer)
      track(answered)
      return answered
    },
    stop: async () => {
      stopping.abort()
      const timer = setTimeout(() => overdue.abort(), drainMs)
      const late = new Promise((resolve) => overdue.signal.addEventListener('abort', resolve))
      while (running.size > 0 && !overdue.signal.aborted)
        await Promise.race([Promise.allSettled(running), late])
      clearTimeout(timer)
    },
  }
}

interface Environment {
  readonly Bindings: { readonly reached: Reached }
}

function appOf(
  { throughline, metrics, pages = {}, gateway: parts }: ServerOptions,
  shared: Shared,
): Hono<Environment> {
  const app = new Hono<Environment>()
  const document = openApiDocument(routes)
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    await throughline.list({ limit: 1 })
    return context.json({ status: 'ready' })
  })
  if (metrics !== undefined)
    app.get('/metrics', async (context) => {
      authenticate(context.req.raw, shared)
      const { text, type } = await metrics()
      return new Response(text, { headers: { 'content-type': type } })
    })
  app.get('/openapi.json', (context) => context.json(document))
  app.get('/docs', (context) => context.html(docsPage(document), 200, docsHeaders))
  for (const [path, answer] of Object.entries(pages))
    app.all(path, async (context) => {
      const page = await answer(context.req.raw)
      // A copy, because the headers of a page may be immutable.
      return new Response(page.body, page)
    })
  if (parts !== undefined) {
    const gateway = createGateway({ ...shared, ...parts })
    for (const path of gatewayPaths) app.all(path, (context) => gateway.answer(context.req.raw))
  }
  const mcp = mcpAnswerer(shared, parts?.index ?? null)
  app.all('/mcp', (context) => mcp(context.req.raw, context.env.reached.client))
  for (const each of routes) {
    const path = each.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(each.method, path, (context) =>
      answerRoute(context, each, context.env.reached.client, shared),
    )
  }
  app.notFound((context) => {
    const known = routes.filter(({ path }) => matches(path, context.req.path))
    if (known.length === 0) return problemResponse(new Refusal('NOT_FOUND'))
    const allow = [...new Set(known.map(({ method }) => method))].join(', ')
    // A browser asks before it sends a request to another origin; which ones may, the guard says.
    if (context.req.method === 'OPTIONS' && context.req.header('origin') !== undefined)
      return new Response(null, { status: 204, headers: { allow } })
    return problemResponse(new Refusal('METHOD_REFUSED', undefined, { allow }))
  })
  app.onError(problemResponse)
  return app
}

/** Loaded by the first call: most servers have none. */
function mcpAnswerer(shared: Shared, index: GatewayIndex | null): McpAnswerer {
  let loaded: Promise<McpAnswerer> | null = null
  return async (...call) => {
    loaded ??= import('./mcp/answer-mcp.ts').then(({ createMcpAnswerer }) =>
      createMcpAnswerer(shared, index),
    )
    return (await loaded)(...call)
  }
}

/** Refuses what no route should see, and sets the headers that every answer has. */
function guardOf({ hosts, origins = [] }: ServerOptions) {
  return {
    refusalOf: (request: Request, { host, protocol }: Reached): Refusal | null => {
      const name = host.replace(/:\d+$/, '').toLowerCase()
      if (hosts !== undefined && !hosts.includes(name)) return new Refusal('HOST_REFUSED')
      const origin = request.headers.get('origin')
      const isAllowed =
        origin === null || origin === `${protocol}://${host}` || origins.includes(origin)
      return isAllowed ? null : new Refusal('ORIGIN_REFUSED')
    },
    headersOf: ({ headers }: Request) => {
      const origin = headers.get('origin')
      if (origin === null || !origins.includes(origin)) return safeHeaders
      return { ...safeHeaders, ...crossOriginHeaders, 'access-control-allow-origin': origin }
    },
  }
}

const safeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  vary: 'Origin',
}

const crossOriginHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, Last-Event-ID',
  'access-control-expose-headers': 'ETag, Retry-After',
}

function stoppingRefusal(): Refusal {
  return new Refusal('STOPPING', undefined, { 'retry-after': '5' })
}

function matches(path: string, asked: string): boolean {
  const pattern = path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(asked)
}
