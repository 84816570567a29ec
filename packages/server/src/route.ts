/**
 * A route as data: its schemas validate requests, and the OpenAPI document is generated from them. Handlers
 * return values; `create-server.ts` does everything around them.
 */
import type { Conversation, ConversationHandle, LanguageModel, TenantHandle } from 'throughline'
import * as v from 'valibot'
import type { Access, Key, Role } from './access.ts'

type Schema = v.GenericSchema

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters in braces, as in OpenAPI. */
  readonly path: string
  readonly operation: string
  readonly summary: string
  readonly role: Role
  readonly query: Schema
  readonly body: Schema | null
  readonly answer: Schema | null
  readonly status: number
  /** Changes what is stored: takes an Idempotency-Key. */
  readonly writes: boolean
  /** After a crash the same request may run again without a second effect. */
  readonly repeatable: boolean
  /** Removes content, so that answers stored for the conversation are dropped. */
  readonly rewrites: boolean
  /** Works where the conversation does not exist yet. */
  readonly creates: boolean
  /** Does not need the conversation's row, which is null then. */
  readonly rowless: boolean
  /** Takes If-Match with the ETag of the resource. */
  readonly guarded: boolean
  /** The content type of an answer that is not JSON. */
  readonly streams: string | null
  readonly run: (call: Call<unknown, unknown>) => Promise<Answer>
}

export interface Call<Query, Body> {
  readonly query: Query
  readonly body: Body
  readonly request: Request
  readonly key: Key
  readonly access: Access
  readonly tenant: TenantHandle
  readonly chat: ConversationHandle
  /** The model that answers in a chat; null without one. */
  readonly chatModel: LanguageModel | null
  /** The row of the conversation at the start; null only for routes that create it or do not need it. */
  readonly conversation: Conversation | null
  /** Aborts the work: the client left, the time is over, or the server stops. */
  readonly signal: AbortSignal
  /** The server stops: streams end. */
  readonly stopping: AbortSignal
  param(name: string): string
  /** Whether the key is still valid: a stream outlives the request. */
  isAllowed(): boolean
  /** Calls back when the conversation may have new events; returns a function that ends that. */
  onChange(notify: () => void): () => void
  /** Throws if the request has an If-Match that is not this version. */
  requireMatch(etag: string): void
}

export interface Answer {
  readonly body?: unknown
  readonly etag?: string
  readonly response?: Response
  /** The conversations whose content a rewrite has changed; by default the one of the path. */
  readonly rewrote?: readonly string[]
  /** The id of what the request created, for the audit. */
  readonly created?: string
}

type Given<Query extends Schema, Body extends Schema> = Pick<
  Route,
  'method' | 'path' | 'operation' | 'summary'
> &
  Partial<
    Pick<
      Route,
      | 'role'
      | 'status'
      | 'repeatable'
      | 'rewrites'
      | 'creates'
      | 'rowless'
      | 'guarded'
      | 'streams'
      | 'writes'
    >
  > & {
    readonly query?: Query
    readonly body?: Body
    readonly answer?: Schema
    run(call: Call<v.InferOutput<Query>, v.InferOutput<Body>>): Promise<Answer>
  }

/** Reads need `read`, everything else needs `write` unless stated. */
export function route<Query extends Schema, Body extends Schema>(given: Given<Query, Body>): Route {
  const writes = given.writes ?? given.method !== 'GET'
  return {
    role: writes ? 'write' : 'read',
    status: 200,
    repeatable: given.method !== 'POST',
    rewrites: false,
    creates: false,
    rowless: false,
    guarded: false,
    streams: null,
    ...given,
    writes,
    query: given.query ?? v.strictObject({}),
    body: given.body ?? null,
    answer: given.answer ?? null,
    // The server parses query and body with the schemas of this route before it calls.
    run: given.run as Route['run'],
  }
}
