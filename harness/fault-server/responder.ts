/** From a request to what is delivered: refused, or asked of the model, whose script this is. */

import type { JsonObject, JsonValue, RequestProblem } from 'throughline'
import { sha256 } from 'throughline/stores'
import type { Fields } from '../../packages/throughline/src/adapters/unknown-json.ts'
import { createPromptCache } from './cache.ts'
import { type Delivery, deliveryOf, errorDelivery } from './delivery.ts'
import { answerFor, checkPlan, faultFor, isContentFault, type ModelFault } from './faults.ts'
import { faultily, type Said, soundly, tokensOf } from './lies.ts'
import type { OpenRecord } from './question.ts'
import { apiAt, apiLike, type Incoming, refusalsOf } from './refusal.ts'
import type { FaultPace, FaultPlan, FaultServerOptions } from './settings.ts'

interface Responder {
  /** Also writes into the record what became of the request. */
  respond(incoming: Incoming, record: OpenRecord): Delivery
  arm(plan: FaultPlan | null): void
}

export function createResponder(options: FaultServerOptions, pace: FaultPace): Responder {
  const cache = createPromptCache()
  let plan: FaultPlan | null = null
  let asked = 0
  let planBegan = 0

  const arm = (next: FaultPlan | null): void => {
    checkPlan(next)
    plan = next
    planBegan = asked
  }

  const respond = (incoming: Incoming, record: OpenRecord): Delivery => {
    const api = apiAt(incoming.path) ?? apiLike(incoming.headers)
    const refusals = refusalsOf(incoming, options)
    const [refusal] = refusals
    record.problems = refusals.map(({ at, message }) => `${at ?? ''} ${message}`.trim())
    if (refusal !== undefined) return errorDelivery(api, refusal)
    // A border: without refusals the body is an object.
    const body = incoming.body as Fields
    const question = { number: asked, ...api.question(body) }
    asked += 1
    record.question = question
    try {
      const fault = faultFor(plan, question, question.number - planBegan)
      record.fault = fault
      const cached = cache.share(api.name, body)
      return delivered({ api, body, question, fault, cached, pace }, options.answers, record)
    } catch (cause) {
      // The script is the caller's, and what it throws must not end the process of a test.
      const message = `the script of the fault server failed: ${cause}`
      record.problems = [message]
      return errorDelivery(api, { status: 500, kind: 'server', message, at: null })
    }
  }

  arm(options.faults ?? null)
  return { respond, arm }
}

interface Asked {
  readonly api: ModelApi
  readonly body: Fields
  readonly question: ModelQuestion
  readonly fault: ModelFault | null
  /** The share of the input that the cache has. */
  readonly cached: number
  readonly pace: FaultPace
}

function delivered(
  { api, body, question, fault, cached, pace }: Asked,
  answers: FaultServerOptions['answers'],
  record: OpenRecord,
): Delivery {
  const text = answerFor(answers, question)
  const id = sha256(`${question.number}\n${text}`)
  const nowMs = Date.now()
  const { invented, ...said } = saidTo(question, { text, fault, seed: id })
  if (fault === null || isContentFault(fault)) {
    record.said = said.text
    record.invented = invented
  }
  const inputTokens = tokensOf(
    question.system + question.messages.map((message) => message.text).join(),
  )
  const cachedTokens = Math.floor(inputTokens * cached)
  const answer = {
    ...said,
    id,
    model: question.model,
    createdAtSeconds: Math.floor(nowMs / 1000),
    inputTokens,
    cachedTokens: cachedTokens < leastCachedTokens ? 0 : cachedTokens,
    outputTokens: tokensOf(said.text + (said.thinking ?? said.refusal ?? '')),
  }
  return deliveryOf({ api, answer, body, stream: question.stream, pace, nowMs }, fault)
}

/** Services keep nothing shorter. */
const leastCachedTokens = 1024

function saidTo(
  question: ModelQuestion,
  {
    text,
    fault,
    seed,
  }: { readonly text: string; readonly fault: ModelFault | null; readonly seed: string },
): Said {
  if (fault === null || !isContentFault(fault)) return soundly(text, question)
  return faultily(fault, text, question, seed)
}

/**
 * A model's API as the server speaks it: what it refuses, what it reads from a request, and
 * how an answer looks, whole and as events. Pure: bytes and connections are elsewhere.
 */
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
