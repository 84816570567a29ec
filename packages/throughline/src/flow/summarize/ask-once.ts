/**
 * Makes one attempt: asks, judges the answer and records the cost. It ends with the signal even if
 * the model ignores it.
 */
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

export interface CountedQuestion {
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
  readonly measured: CountedQuestion
  readonly tryOfModel: 1 | 2
  readonly waitedMs: number
  readonly judge: Judge<Value>
  /** Aborted by the caller, or because the time is over. */
  readonly signal: AbortSignal
  readonly isAborted: () => boolean
  readonly clock: Clock
  readonly note: (event: ModelEvent) => void
}

export interface Replied<Value> {
  readonly attempt: ModelAttempt
  readonly accepted: { readonly value: Value; readonly answer: ModelAnswer } | null
}

export async function askOnce<Value>(question: Question<Value>): Promise<Replied<Value>> {
  const { number, model, clock, note, judge } = question
  const startedAt = clock.now()
  note({ kind: 'model-attempt-started', number, model: model.id, at: startedAt })
  const reply = await replyOf(question)
  const answer = reply.kind === 'answered' ? reply : null
  const end = (outcome: AttemptOutcome): ModelAttempt => {
    const attempt = attemptOf(question, startedAt, outcome, answer)
    note({ kind: 'model-attempt-ended', attempt })
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

async function replyOf<Value>(question: Question<Value>): Promise<ModelOutcome> {
  const { signal, isAborted } = question
  const stopped = Promise.withResolvers<null>()
  const stop = () => stopped.resolve(null)
  signal.addEventListener('abort', stop, { once: true })
  // A listener of the start event may have aborted it.
  if (signal.aborted) stop()
  const outcome = await Promise.race([generated(question), stopped.promise])
  signal.removeEventListener('abort', stop)
  if (outcome !== null && (outcome.kind === 'answered' || !signal.aborted)) return outcome
  // The model was aborted and says so; the reason is known here.
  return signal.aborted && isAborted()
    ? failedWith('aborted', 'aborted')
    : failedWith('timeout', 'the time for models is over')
}

/** `generate` should not reject; if it does, the attempt has failed. */
async function generated<Value>(question: Question<Value>): Promise<ModelOutcome> {
  const { model, measured, signal } = question
  try {
    const outcome = sanitizeOutcome(await model.generate(measured.request, { signal }))
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
  // `sanitizeOutcome` made it JSON.
  const usage = (answer?.usage ?? null) as Usage | null
  const prices = model.prices ?? null
  const counted = usage === null || prices === null ? null : costOf(usage, prices)
  // An absurd amount counts as unknown.
  const costUsd = counted !== null && counted < mostUsd ? counted : null
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
    chargedUsd:
      outcome.kind === 'failed' && (outcome.status ?? 0) >= 400 ? 0 : (costUsd ?? mostOf(question)),
  }
}

const mostUsd = 1_000_000

/** Zero if prices are unknown. */
export function mostOf({ model, measured }: Pick<Question<unknown>, 'model' | 'measured'>): number {
  if (model.prices === undefined || model.prices === null) return 0
  const { inputTokens: input, request } = measured
  return Math.min(mostUsd, highestCost({ input, output: request.maxOutputTokens }, model.prices))
}

/** A custom model may return an invalid outcome; then the attempt has failed. */
function sanitizeOutcome(given: unknown): ModelOutcome {
  try {
    const { kind, text, usage, model, ...rest } = (given ?? {}) as GivenOutcome
    const finish = finishes.find((known) => known === rest.finish)
    if (kind === 'answered' && typeof text === 'string' && finish !== undefined)
      return { kind, text, finish, usage: usageOf(usage), model: textOf(model) }
    const { cause: named, status, retryAfterMs, message } = rest.failure ?? {}
    const cause = causes.find((known) => known === named)
    if (kind === 'failed' && cause !== undefined) {
      const counts = { status: countOf(status), retryAfterMs: countOf(retryAfterMs) }
      return { kind, failure: { cause, ...counts, message: safeExcerpt(textOf(message)) } }
    }
  } catch {
    // A getter of the outcome threw.
  }
  return failedWith('invalid', 'the model gave back something of another shape')
}

type GivenOutcome = Partial<Record<'kind' | 'text' | 'finish' | 'usage' | 'model', unknown>> & {
  readonly failure?: Partial<Record<keyof ModelFailure, unknown>> | null
}

const finishes = ['stop', 'length', 'filter', 'other'] as const
const causes = ['transport', 'refused', 'timeout', 'aborted', 'invalid'] as const

/** Plain JSON, because it is stored; null if it is not JSON. */
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
