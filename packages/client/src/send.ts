/**
 * Sends a request and repeats it while the server cannot be reached or is busy. A write has one Idempotency-Key
 * for all its attempts, so the server does it once.
 */
import { ThroughlineError } from 'throughline'
import { jsonOf } from './json-values.ts'
import { type Problem, problemIn, refusedError } from './problem.ts'

export interface SenderOptions {
  readonly url: string
  readonly key: string
  readonly retries: number
  readonly timeoutMs: number
  readonly fetch: typeof globalThis.fetch
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Segments after `/v1`; each is escaped. */
  readonly path: readonly (string | number)[]
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | null | undefined
}

export interface Sender {
  /** The answer, or the problem of an answer below 500. Throws if the server cannot be reached. */
  send(call: Call): Promise<Answer>
  /** A request without retries, for streams. */
  open(call: Call): Promise<Response>
  readonly signal: AbortSignal
}

type Answer =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly problem: Problem }

export function createSender(options: SenderOptions, signal: AbortSignal): Sender {
  const signalOf = (call: Call) => (call.signal ? AbortSignal.any([signal, call.signal]) : signal)
  const open = (call: Call, attempt: RequestInit = {}) =>
    options.fetch(urlOf(options.url, call), {
      method: call.method ?? 'GET',
      redirect: 'error',
      ...attempt,
      headers: {
        authorization: `Bearer ${options.key}`,
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...call.headers,
        ...attempt.headers,
      },
      ...(call.body !== undefined && { body: jsonOf(call.body) }),
    })
  return {
    signal,
    open: (call) => open(call, { signal: signalOf(call) }),
    send: async (call) => {
      const stop = signalOf(call)
      const isWrite = call.method !== undefined && call.method !== 'GET'
      const headers: Record<string, string> = isWrite ? { 'idempotency-key': newKey() } : {}
      for (let attempt = 0; ; attempt += 1) {
        stop.throwIfAborted()
        const late = AbortSignal.timeout(options.timeoutMs)
        const sent = { headers, signal: AbortSignal.any([stop, late]) }
        const outcome = await outcomeOf(() => open(call, sent), stop)
        if (outcome.kind === 'answered') return outcome.answer
        if (attempt >= options.retries) throw outcome.error
        await pause(Math.max(outcome.waitMs, backoffMs(attempt)), stop)
      }
    },
  }
}

/** Browsers have `randomUUID` only on pages with TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'again'; readonly error: ThroughlineError; readonly waitMs: number }

/** The body is read here, so that a connection lost during the answer is repeated, too. */
async function outcomeOf(send: () => Promise<Response>, stop: AbortSignal): Promise<Outcome> {
  try {
    const response = await send()
    const { status, headers } = response
    const bytes = await response.arrayBuffer()
    if (status < 400)
      return { kind: 'answered', answer: { ok: true, response: new Response(bytes, { headers }) } }
    const problem = problemIn(bytes, status)
    if (!isTemporary(problem)) return { kind: 'answered', answer: { ok: false, problem } }
    const seconds = Number(headers.get('retry-after') ?? 0)
    const waitMs = Number.isFinite(seconds) ? Math.min(seconds * 1000, longestWaitMs) : 0
    return { kind: 'again', error: refusedError(problem), waitMs }
  } catch (cause) {
    stop.throwIfAborted()
    const why = cause instanceof Error ? causeOf(cause) : String(cause)
    const error = new ThroughlineError('SERVER_UNREACHABLE', `the server does not answer: ${why}`, {
      cause,
    })
    return { kind: 'again', error, waitMs: 0 }
  }
}

/** Node's fetch puts the reason into the cause of "fetch failed". */
function causeOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || message : message
}

const temporary = [429, 502, 503, 504]

function isTemporary({ status, code }: Problem): boolean {
  return temporary.includes(status) || code === 'REQUEST_RUNNING'
}

const longestWaitMs = 30_000

/** Doubles, with chance, so that clients do not come back together. */
function backoffMs(attempt: number): number {
  return Math.min(100 * 2 ** attempt, 5_000) * (0.5 + Math.random() / 2)
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}

function urlOf(base: string, { path, query = {} }: Call): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)] as const],
  )
  const search = given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given))}`
  return `${base}/v1/${path.map((segment) => encodeURIComponent(segment)).join('/')}${search}`
}
