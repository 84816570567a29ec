/** Calls of the server's API from the page: the session cookie and a header that pages of other origins cannot set. */

/** A refusal, as the server words it. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly failure: { readonly kind: string } | null

  constructor(status: number, code: string, detail: string, failure: { kind: string } | null) {
    super(detail)
    this.status = status
    this.code = code
    this.failure = failure
  }
}

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

const pageHeaders = { 'x-throughline-page': '1' }

/** Sends a request; throws an `ApiError` for any problem. */
export async function send(path: string, asked: Asked = {}): Promise<Response> {
  const { method = 'GET', query = {}, body, headers = {}, signal } = asked
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, String(value))
  const response = await fetch(search.size === 0 ? path : `${path}?${search}`, {
    method,
    credentials: 'same-origin',
    headers: {
      ...pageHeaders,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'UNREACHABLE', 'The server does not answer. Is it running?', null)
  })
  if (response.ok) return response
  const problem = (await response.json().catch(() => ({}))) as {
    readonly code?: string
    readonly detail?: string
    readonly failure?: { readonly kind: string }
  }
  const { code = 'UNKNOWN', detail = `The server answered ${response.status}.` } = problem
  if (response.status === 401) for (const notify of signedOut) notify()
  throw new ApiError(response.status, code, detail, problem.failure ?? null)
}

export async function call<Value>(path: string, asked?: Asked): Promise<Value> {
  return (await (await send(path, asked)).json()) as Value
}

/** The path of a conversation in the API. */
export function pathOf(id: string, ...rest: readonly (string | number)[]): string {
  return ['/v1/conversations', id, ...rest]
    .map((piece, at) => (at === 0 ? piece : encodeURIComponent(piece)))
    .join('/')
}

const signedOut = new Set<() => void>()

/** Calls back when the session has ended; returns a function that ends that. */
export function onSignedOut(notify: () => void): () => void {
  signedOut.add(notify)
  return () => void signedOut.delete(notify)
}
