/**
 * A model's API as the server speaks it: what it refuses, what it reads from a request, and
 * how an answer looks, whole and as events. Pure: bytes and connections are elsewhere.
 */

import type { JsonObject, JsonValue, RequestProblem } from 'throughline'
import type { Fields } from '../../packages/throughline/src/adapters/unknown-json.ts'

export type ModelApiName = 'openai-chat' | 'openai-responses' | 'anthropic-messages'

/** What a model is asked, whichever API it comes through. */
export interface ModelQuestion {
  /** 0, 1, … of the requests that were sound. */
  readonly number: number
  readonly api: ModelApiName
  readonly model: string
  readonly stream: boolean
  readonly system: string
  readonly messages: readonly { readonly role: string; readonly text: string }[]
  /** The JSON schema that the answer should have. */
  readonly schema: JsonObject | null
  readonly toolNames: readonly string[]
  readonly maxOutputTokens: number | null
}

/** What a model says, with all that an API tells about it. */
export interface ModelAnswer {
  /** Hexadecimal; each API makes its ids from it. */
  readonly id: string
  readonly model: string
  readonly createdAtSeconds: number
  readonly text: string
  readonly thinking: string | null
  readonly refusal: string | null
  readonly finish: 'stop' | 'length'
  readonly inputTokens: number
  /** What of the input was in the cache. */
  readonly cachedTokens: number
  readonly outputTokens: number
}

export interface ServiceError {
  readonly status: number
  readonly kind:
    | 'invalid'
    | 'authentication'
    | 'not-found'
    | 'model-not-found'
    | 'too-large'
    | 'rate-limit'
    | 'server'
    | 'overloaded'
  readonly message: string
  /** Which field, where one is at fault. */
  readonly at: string | null
}

export interface ServerEvent {
  readonly event: string | null
  readonly data: JsonValue
}

export type SentHeaders = Readonly<Record<string, string>>

export interface ModelApi {
  readonly name: ModelApiName
  readonly path: string
  /** The key in the headers; null where there is none. */
  keyIn(headers: SentHeaders): string | null
  problems(body: unknown, headers: SentHeaders): readonly RequestProblem[]
  /** Only of a body without problems. */
  question(body: Fields): Omit<ModelQuestion, 'number'>
  error(error: ServiceError): JsonObject
  /** `body` is what was asked, some of which is given back. */
  whole(answer: ModelAnswer, body: Fields): JsonObject
  /** In the order of the service. */
  events(answer: ModelAnswer, body: Fields): readonly ServerEvent[]
  /** What a stream ends with that fails after so many events. */
  errorEvent(error: ServiceError, eventsBefore: number): ServerEvent
}
