/** Makes one attempt: asks, judges the answer and records the cost. The signal ends it. */
import type { AttemptOutcome, ModelAttempt, ModelEvent } from '../../domain/model-calls.ts'
import { costOf, highestCost, type Usage } from '../../domain/usage.ts'
import { safeExcerpt } from '../../extract/redact-secrets.ts'
import type { Clock } from '../../ports/clock.ts'
import type {
  LanguageModel,
  ModelAnswer,
  ModelFailure,
  ModelOutcome,
  ModelRequest,
} from '../../ports/language-model.ts'
import { redactJson, redactor } from '../redact/redact-message.ts'

export interface CountedRequest {
  readonly request: ModelRequest
  readonly inputTokens: number
}

type Judgement<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }

export type Judge<Value> = (answer: ModelAnswer) => Judgement<Value> | Promise<Judgement<Value>>

export interface Question<Value> {
  readonly number: number
  readonly model: LanguageModel
  readonly counted: CountedRequest
  readonly tryOfModel: 1 | 2
  readonly waitedMs: number
  readonly judge: Judge<Value>
  /** Aborted by the caller, or because the time is over. */
  readonly signal: AbortSignal
  readonly isAborted: () => boolean
  readonly clock: Clock
  readonly reportEvent: (event: ModelEvent) => void
}

export interface AttemptResult<Value> {
  readonly attempt: ModelAttempt
  readonly accepted: { readonly value: Value; readonly answer: ModelAnswer } | null
}

export async function askOnce<Value>(question: Question<Value>): Promise<AttemptResult<Value>> {
  const { number, model, clock, reportEvent, judge } = question
  const startedAt = clock.now()
  reportEvent({ kind: 'model-attempt-started', number, model: model.id, at: startedAt })
  const reply = await awaitReply(question)
  const answer = reply.kind === 'answered' ? reply : null
  const end = (outcome: AttemptOutcome): ModelAttempt => {
    const attempt = attemptOf(question, startedAt, outcome, answer)
    reportEvent({ kind: 'model-attempt-ended', attempt })
    return attempt
  }
  if (reply.kind === 'failed') {
    const message = safeExcerpt(reply.failure.message)
    return { attempt: end({ kind: 'failed', ...reply.failure, message }), accepted: null }
  }
  const refuse = (reasons: readonly string[]) =>
    end({ kind: 'refused', reasons, excerpt: safeExcerpt(reply.text) })
  let judgement: Judgement<Value>
  try {
    judgement = await judge(reply)
  } catch (error) {
    // A judge that throws is a bug of ours and is reported as one; the attempt still ends.
    refuse(['the judge failed'])
    throw error
  }
  if (judgement.kind === 'refused') return { attempt: refuse(judgement.reasons), accepted: null }
  const accepted = { value: judgement.value, answer: reply }
  return { attempt: end({ kind: 'accepted' }), accepted }
}

async function awaitReply<Value>(question: Question<Value>): Promise<ModelOutcome> {
  const { signal, isAborted } = question
  const stopped = Promise.withResolvers<null>()
  const stop = () => stopped.resolve(null)
  signal.addEventListener('abort', stop, { once: true })
  // A listener of the start event may have aborted the signal already.
  if (signal.aborted) stop()
  const outcome = await Promise.race([generate(question), stopped.promise])
  signal.removeEventListener('abort', stop)
  if (outcome !== null && (outcome.kind === 'answered' || !signal.aborted)) return outcome
  // A model that was stopped does not know why: by the caller, or because the time was over.
  return signal.aborted && isAborted()
    ? failedWith('aborted', 'aborted')
    : failedWith('timeout', 'the time for models is over')
}

/** `generate` should not reject; if it does, the attempt has failed. */
async function generate<Value>(question: Question<Value>): Promise<ModelOutcome> {
  const { model, counted, signal } = question
  try {
    const outcome = sanitizeOutcome(await model.generate(counted.request, { signal }))
    if (outcome.kind === 'failed') return outcome
    // Redacted first, because reasons and repairs quote the answer.
    return { ...outcome, text: redactJson(outcome.text, redactor().redact) }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the model threw'
    return failedWith('invalid', safeExcerpt(message))
  }
}

function failedWith(cause: ModelFailure['cause'], message: string): ModelOutcome {
  return { kind: 'failed', failure: { cause, status: null, retryAfterMs: null, message } }
}

function attemptOf<Value>(
  question: Question<Value>,
  startedAt: number,
  outcome: AttemptOutcome,
  answer: ModelAnswer | null,
): ModelAttempt {
  const { number, model, tryOfModel, waitedMs, clock } = question
  // `sanitizeOutcome` has checked that the usage is JSON.
  const usage = (answer?.usage ?? null) as Usage | null
  const prices = model.prices ?? null
  const reportedUsd = usage === null || prices === null ? null : costOf(usage, prices)
  const costUsd = reportedUsd !== null && reportedUsd < implausibleUsd ? reportedUsd : null
  const isHttpError = outcome.kind === 'failed' && (outcome.status ?? 0) >= 400
  return {
    number,
    model: model.id,
    answeredBy: answer?.model ?? null,
    tryOfModel,
    waitedMs,
    startedAt,
    durationMs: Math.max(0, clock.now() - startedAt),
    outcome,
    usage,
    costUsd,
    // Providers do not bill for an HTTP error.
    chargedUsd: isHttpError ? 0 : (costUsd ?? maxCostUsd(question)),
  }
}

/** A higher cost of one call is an error of the provider's report, so it counts as unknown. */
const implausibleUsd = 1_000_000

/** The cost of a call that uses all of its output tokens; zero if prices are unknown. */
export function maxCostUsd({ model, counted }: Pick<Question<unknown>, 'model' | 'counted'>) {
  if (model.prices === undefined || model.prices === null) return 0
  const tokens = { input: counted.inputTokens, output: counted.request.maxOutputTokens }
  return Math.min(implausibleUsd, highestCost(tokens, model.prices))
}

/** A custom model may return an invalid outcome; then the attempt has failed. */
function sanitizeOutcome(outcome: unknown): ModelOutcome {
  try {
    const { kind, text, usage, model, ...rest } = (outcome ?? {}) as UncheckedOutcome
    const finish = finishes.find((known) => known === rest.finish)
    if (kind === 'answered' && typeof text === 'string' && finish !== undefined)
      return { kind, text, finish, usage: usageOf(usage), model: textOf(model) }
    const { cause: reportedCause, status, retryAfterMs, message } = rest.failure ?? {}
    const cause = causes.find((known) => known === reportedCause)
    if (kind === 'failed' && cause !== undefined) {
      const counts = { status: countOf(status), retryAfterMs: countOf(retryAfterMs) }
      return { kind, failure: { cause, ...counts, message: safeExcerpt(textOf(message)) } }
    }
  } catch {
    // A getter of the outcome threw.
  }
  return failedWith('invalid', 'the model gave back something of another shape')
}

type UncheckedOutcome = Partial<Record<'kind' | 'text' | 'finish' | 'usage' | 'model', unknown>> & {
  readonly failure?: Partial<Record<keyof ModelFailure, unknown>> | null
}

const finishes = ['stop', 'length', 'filter', 'other'] as const
const causes = ['transport', 'refused', 'timeout', 'aborted', 'invalid'] as const

/** Plain JSON, because usage is stored; null if it is not JSON. */
function usageOf(usage: unknown): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null
  try {
    return JSON.parse(JSON.stringify(usage)) as Usage
  } catch {
    return null
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
