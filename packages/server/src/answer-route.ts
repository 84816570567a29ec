/** Answers a request to a route: key, role, limits and schemas, then the handler. */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { LanguageModel, Throughline } from 'throughline'
import * as v from 'valibot'
import type { Access, Key, Role, WriteRequest } from './access.ts'
import { once, type RunningWrites } from './once.ts'
import { problemResponse, Refusal } from './problem.ts'
import { parseJson, readBody } from './read-body.ts'
import type { Answer, Call, Route } from './route.ts'
import type { ServerLimits } from './settings.ts'
import type {
  createConversationLocks,
  createPacer,
  createRateLimiter,
  createWakers,
} from './traffic.ts'

/** What all requests of a server share. */
export interface Shared {
  readonly throughline: Throughline
  readonly access: Access
  readonly chatModel: LanguageModel | null
  /** The key of a session; null without one. */
  readonly sessionKey: (request: Request) => Key | null
  readonly limits: ServerLimits
  readonly stopping: AbortSignal
  /** Aborted when the server no longer waits for running requests. */
  readonly overdue: AbortSignal
  readonly waitMs: ReturnType<typeof createRateLimiter>
  readonly lock: ReturnType<typeof createConversationLocks>
  readonly pace: ReturnType<typeof createPacer>
  readonly writes: RunningWrites
  /** How many streamed answers each key has open. */
  readonly streams: Map<string, number>
  readonly wakers: ReturnType<typeof createWakers>
  readonly onAnswer?: ((line: AnswerLine) => void) | undefined
  /** The server waits for this work when it stops. */
  track(work: Promise<unknown>): void
}

/** One answer for logs and metrics: no ids of conversations, no content. */
export interface AnswerLine {
  readonly operation: string
  readonly method: string
  readonly status: number
  readonly durationMs: number
  readonly key: string | null
  /** The address of the client; null where the server does not know it. */
  readonly client: string | null
  readonly error: unknown
}

/** A request on its way through a route. */
interface Asked {
  readonly context: Context
  readonly route: Route
  readonly key: Key
  /** Aborts with the request, with its time limit, or with the server. */
  readonly signal: AbortSignal
  /** Names for the audit what the request created. */
  created(id: string): void
}

export async function answerRoute(
  context: Context,
  route: Route,
  client: string | null,
  shared: Shared,
): Promise<Response> {
  const startedAt = performance.now()
  const { method, operation, role } = route
  let key: Key | null = null
  let failure: unknown = null
  let response: Response
  let subject = context.req.param('conversation') ?? context.req.param('key') ?? ''
  const created = (id: string) => {
    subject = id
  }
  try {
    const caller = authenticate(context.req.raw, shared)
    key = caller
    if (rank[caller.role] < rank[role]) {
      shared.access.noteUse(caller, 'role-too-low')
      throw new Refusal('ROLE_TOO_LOW')
    }
    shared.access.noteUse(caller, 'accepted')
    response = await withinTime(context.req.raw, shared, (signal) =>
      runRoute({ context, route, key: caller, signal, created }, shared),
    )
    if (route.streams !== null)
      response = trackedResponse(response, context.req.raw, caller, shared)
  } catch (error) {
    failure = error
    response = problemResponse(error)
  }
  const { status } = response
  if (key !== null && (route.rewrites || (role === 'admin' && method !== 'GET'))) {
    const { tenant, id } = key
    await shared.access.record({ tenant, key: id, operation, subject, status })
  }
  const durationMs = performance.now() - startedAt
  const error = status >= 500 ? failure : null
  shared.onAnswer?.({
    ...{ operation, method, status, durationMs, key: key?.id ?? null, client, error },
  })
  return response
}

const rank: Readonly<Record<Role, number>> = { read: 0, write: 1, admin: 2 }

/** The key of a request; throws if it has none, or sent too many requests. */
export function authenticate(request: Request, shared: Shared): Key {
  const { access, waitMs } = shared
  const key = keyOf(request, shared)
  if (key === null) {
    const secret = secretIn(request)
    const refused = secret === null ? null : access.refusedKey(secret)
    if (refused !== null) access.noteUse(refused.key, refused.outcome)
    throw new Refusal('KEY_MISSING', undefined, { 'www-authenticate': 'Bearer' })
  }
  const wait = waitMs(key.id)
  if (wait > 0) {
    access.noteUse(key, 'rate-exceeded')
    throw new Refusal('RATE_EXCEEDED', undefined, { 'retry-after': `${Math.ceil(wait / 1000)}` })
  }
  return key
}

function keyOf(request: Request, { access, sessionKey }: KeySources): Key | null {
  const secret = secretIn(request)
  if (secret !== null) return access.findKey(secret)
  return request.headers.has('authorization') ? null : sessionKey(request)
}

/** In a header of its own, as for the gateway, or in the usual one. */
function secretIn({ headers }: Request): string | null {
  const given = headers.get('x-throughline-key')
  if (given !== null) return /^\S{1,200}$/.test(given) ? given : null
  const [, secret] = /^Bearer +(\S{1,200})$/i.exec(headers.get('authorization') ?? '') ?? []
  return secret ?? null
}

type KeySources = Pick<Shared, 'access' | 'sessionKey'>

/** Answers at the time limit at once, while the aborted work ends. */
async function withinTime(
  { signal: left }: Request,
  { limits, overdue, track }: Shared,
  work: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const ended = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const end = (code: 'TIMED_OUT' | 'STOPPING' | 'CLIENT_LEFT') => {
    ended.abort(new Refusal(code))
    reject(ended.signal.reason)
  }
  const timer = setTimeout(end, limits.timeoutMs, 'TIMED_OUT')
  const stop = () => end('STOPPING')
  const leave = () => end('CLIENT_LEFT')
  // Not AbortSignal.any: the signal of the server outlives all requests.
  overdue.addEventListener('abort', stop)
  left.addEventListener('abort', leave)
  const working = work(ended.signal)
  track(working)
  return Promise.race([working, promise]).finally(() => {
    clearTimeout(timer)
    overdue.removeEventListener('abort', stop)
    left.removeEventListener('abort', leave)
  })
}

async function runRoute(asked: Asked, shared: Shared): Promise<Response> {
  const { context, route, key, signal } = asked
  const { limits, wakers, lock, pace } = shared
  const request = context.req.raw
  const text = route.body === null ? '' : await readBody(request, limits, signal)
  const body = route.body === null ? undefined : parsed(route.body, parseJson(text, limits))
  const query = parsed(route.query, queryOf(request))
  const named = context.req.param('conversation') ?? null
  // Of a conversation that the request creates, the id is in the body.
  const subject = named ?? idIn(body)
  const place = JSON.stringify([key.tenant, subject])
  // After a crash, the version that it names may be gone because of itself.
  const repeatable = route.repeatable && !request.headers.has('if-match')
  const write = writeRequestOf(asked, text, { conversation: subject, repeatable })
  const run = () => runHandler(asked, { body, query, named, write, place }, shared)
  const isAlone = route.guarded || route.rewrites
  const inTurn = (work: () => Promise<Response>) => (isAlone ? lock(place, work) : work())
  try {
    if (write !== null) return await once(write, shared, { begin: pace, inTurn, run })
    await pace()
    return await inTurn(run)
  } finally {
    if (subject !== null && route.method !== 'GET') wakers.wake(place)
  }
}

interface Parsed {
  readonly body: unknown
  readonly query: unknown
  readonly named: string | null
  readonly write: WriteRequest | null
  readonly place: string
}

async function runHandler(
  { context, route, key, signal, created }: Asked,
  { body, query, named, write, place }: Parsed,
  { throughline, access, chatModel, sessionKey, stopping, wakers }: Shared,
): Promise<Response> {
  const tenant = throughline.tenant(key.tenant)
  const chat = tenant.conversation(named ?? 'none')
  const row = named === null || route.rowless ? null : await chat.info()
  if (named !== null && row === null && !route.creates) throw new Refusal('NOT_FOUND')
  // It may have waited for its turn until after its time.
  signal.throwIfAborted()
  const request = context.req.raw
  const call: Call<unknown, unknown> = {
    ...{ query, body, request, key, access, tenant, chat, chatModel },
    ...{ conversation: row, signal, stopping },
    param: (name) => context.req.param(name) ?? '',
    isAllowed: () => keyOf(request, { access, sessionKey }) !== null,
    onChange: (notify) => wakers.add(place, notify),
    requireMatch: (etag) => requireMatch(request, etag),
  }
  const answer = await route.run(call)
  if (answer.created !== undefined) created(answer.created)
  if (named !== null && route.rewrites)
    await access.forgetAnswers(key.tenant, answer.rewrote ?? [named], write?.key ?? null)
  return responseOf(answer, route)
}

/** Null for requests whose answers are not stored. */
function writeRequestOf(
  { context, route, key }: Asked,
  text: string,
  facts: Pick<WriteRequest, 'conversation' | 'repeatable'>,
): WriteRequest | null {
  const idempotencyKey = context.req.raw.headers.get('idempotency-key')
  if (idempotencyKey === null || !route.writes) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new Refusal('BODY_INVALID', 'Idempotency-Key: 1 to 255 characters of ASCII, no spaces')
  const { pathname, search } = new URL(context.req.raw.url)
  const fingerprint = fingerprintOf(`${route.method} ${pathname}${search}\n${text}`)
  return { tenant: key.tenant, key: idempotencyKey, fingerprint, ...facts }
}

function idIn(body: unknown): string | null {
  const { id } = (body ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' ? id : null
}

function queryOf(request: Request): Readonly<Record<string, string>> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URL(request.url).searchParams) {
    if (name in query) throw new Refusal('BODY_INVALID', `${name}: given twice`)
    query[name] = value
  }
  return { ...query }
}

function responseOf({ body, etag, response }: Answer, { status, streams }: Route): Response {
  const type = streams ?? 'application/json'
  const headers = { 'content-type': type, ...(etag !== undefined && { etag }) }
  return response === undefined
    ? new Response(JSON.stringify(body), { status, headers })
    : new Response(response.body, { status, headers })
}

function requireMatch(request: Request, etag: string): void {
  const wanted = request.headers.get('if-match')
  if (wanted === null || wanted === '*') return
  const tags = wanted.split(',').map((tag) => tag.trim())
  if (!tags.includes(etag)) throw new Refusal('VERSION_CHANGED')
}

function parsed(schema: v.GenericSchema, value: unknown): unknown {
  // All issues of a large body would take more memory than the body.
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Refusal('BODY_INVALID', `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
}

function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The server waits until a body is read or canceled. A key may have only so many open. */
function trackedResponse(
  response: Response,
  { method }: Request,
  { id }: Key,
  shared: Shared,
): Response {
  const { overdue, track, streams, limits } = shared
  const { body, status, headers } = response
  if (body === null) return response
  if (method === 'HEAD') {
    void body.cancel()
    return new Response(null, { status, headers })
  }
  const open = streams.get(id) ?? 0
  if (open >= limits.streamsPerKey) {
    void body.cancel()
    throw new Refusal('RATE_EXCEEDED', 'the key has too many open streams', { 'retry-after': '5' })
  }
  streams.set(id, open + 1)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const reader = body.getReader()
  const tracked = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          // A body that is cut must not look complete.
          if (overdue.aborted) throw new Refusal('STOPPING')
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          resolve()
          controller.close()
        } catch (error) {
          resolve()
          controller.error(error)
        }
      },
      cancel: (reason) => {
        resolve()
        return reader.cancel(reason)
      },
    },
    // Reads nothing before the client does.
    { highWaterMark: 0 },
  )
  track(ended)
  void ended.then(() => streams.set(id, (streams.get(id) ?? 1) - 1))
  return new Response(tracked, { status, headers })
}
