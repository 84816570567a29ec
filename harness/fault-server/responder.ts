/** Decides how to answer a request: with a refusal, or with the scripted model's answer. */

import type { JsonObject, JsonValue, RequestProblem } from 'throughline'
import { sha256 } from 'throughline/stores'
import type { Fields } from '../../packages/throughline/src/adapters/unknown-json.ts'
import { createPromptCache } from './cache.ts'
import { type Delivery, deliveryOf, errorDelivery } from './delivery.ts'
import { answerFor, checkPlan, faultFor, isContentFault, type ModelFault } from './faults.ts'
import { type AnswerContent, faultyContent, tokensOf, validContent } from './lies.ts'
import type { OpenRecord } from './question.ts'
import { apiAt, apiLike, type Incoming, refusalsOf } from './refusal.ts'
import type { FaultPace, FaultPlan, FaultServerOptions } from './settings.ts'

interface Responder {
  /** Also writes the outcome into the record. */
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
    // Safe cast: without refusals the body is an object.
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
      // The script belongs to the caller; its errors must not end a test process.
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
  /** The cached share of the input. */
  readonly cached: number
  readonly pace: FaultPace
}

function delivered(
  { api, body, question, fault, cached, pace }: Asked,
  answers: FaultServerOptions['answers'],
  record: OpenRecord,
): Delivery {
  const { text, calls } = answerFor(answers, question)
  const id = sha256(`${question.number}\n${text}`)
  const nowMs = Date.now()
  const { invented, ...content } = contentFor(question, { text, fault, seed: id })
  if (fault === null || isContentFault(fault)) {
    record.answer = content.text
    record.invented = invented
  }
  const inputTokens = tokensOf(
    question.system + question.messages.map((message) => message.text).join(),
  )
  const cachedTokens = Math.floor(inputTokens * cached)
  const answer = {
    ...content,
    calls,
    id,
    model: question.model,
    createdAtSeconds: Math.floor(nowMs / 1000),
    inputTokens,
    cachedTokens: cachedTokens < leastCachedTokens ? 0 : cachedTokens,
    outputTokens: tokensOf(content.text + (content.thinking ?? content.refusal ?? '')),
  }
  return deliveryOf({ api, answer, body, stream: question.stream, pace, nowMs }, fault)
}

/** Services cache nothing shorter. */
const leastCachedTokens = 1024

function contentFor(
  question: ModelQuestion,
  {
    text,
    fault,
    seed,
  }: { readonly text: string; readonly fault: ModelFault | null; readonly seed: string },
): AnswerContent {
  if (fault === null || !isContentFault(fault)) return validContent(text, question)
  return faultyContent(fault, text, question, seed)
}

/**
 * A model API as the server speaks it: what it refuses, what it reads from a request, and the format
 * of an answer, whole and as events. No I/O: `delivery.ts` sends the bytes.
 */
export type ModelApiName = 'openai-chat' | 'openai-responses' | 'anthropic-messages'

/** A model request, independent of its API. */
export interface ModelQuestion {
  /** Counts accepted requests: 0, 1, … */
  readonly number: number
  readonly api: ModelApiName
  readonly model: string
  readonly stream: boolean
  readonly system: string
  readonly messages: readonly { readonly role: string; readonly text: string }[]
  /** The JSON schema of the requested answer. */
  readonly schema: JsonObject | null
  readonly toolNames: readonly string[]
  readonly maxOutputTokens: number | null
}

/** A model's answer with everything an API reports about it. */
export interface ModelAnswer {
  /** Hexadecimal; each API builds its ids from it. */
  readonly id: string
  readonly model: string
  readonly createdAtSeconds: number
  readonly text: string
  readonly thinking: string | null
  readonly refusal: string | null
  readonly finish: 'stop' | 'length'
  /** Of tools, after the text; in parallel if there are several. */
  readonly calls: readonly ScriptedCall[]
  readonly inputTokens: number
  /** Input tokens that were cached. */
  readonly cachedTokens: number
  readonly outputTokens: number
}

export interface ScriptedAnswer extends Pick<ModelAnswer, 'text' | 'calls'> {}

interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
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
  /** The offending field, if there is one. */
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
  /** The key in the headers; null if there is none. */
  keyIn(headers: SentHeaders): string | null
  problems(body: unknown, headers: SentHeaders): readonly RequestProblem[]
  /** Requires a body without problems. */
  question(body: Fields): Omit<ModelQuestion, 'number'>
  error(error: ServiceError): JsonObject
  /** `body` is the request, some fields of which the answer repeats. */
  whole(answer: ModelAnswer, body: Fields): JsonObject
  /** In the order of the service. */
  events(answer: ModelAnswer, body: Fields): readonly ServerEvent[]
  /** The event that ends a stream which fails after this many events. */
  errorEvent(error: ServiceError, eventsBefore: number): ServerEvent
}
