/**
 * One attempt: a question to one model, its answer judged, and the account of it. It ends
 * when the signal says so, whether the model listens or not, and it never stays open.
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
import { redactedJson, redactor } from '../redact/redacted-message.ts'

/** A request that fits the window of the model it is for. */
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
  /** Aborted by the caller, or because the time of the trigger is over. */
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
  const { number, model, clock, note } = question
  const startedAt = clock.now()
  note({ kind: 'model-attempt-started', number, model: model.id, at: startedAt })
  const end = (outcome: AttemptOutcome, answer: ModelAnswer | null): ModelAttempt => {
    const attempt = attemptOf(question, { startedAt, outcome, answer })
    note({ kind: 'model-attempt-ended', attempt })
    return attempt
  }
  const reply = await replyOf(question)
  if (reply.kind === 'failed')
    return { attempt: end(failedBy(reply.failure), null), accepted: null }
  const judgement = await judged(question, reply).catch((error: unknown) => {
    // A judge that breaks is our fault, and told as such; the attempt ends all the same.
    end(refusedBy(['the judge failed'], reply), reply)
    throw error
  })
  if (judgement.kind === 'refused')
    return { attempt: end(refusedBy(judgement.reasons, reply), reply), accepted: null }
  const accepted = { value: judgement.value, answer: reply }
  return { attempt: end({ kind: 'accepted' }, reply), accepted }
}

async function judged<Value>(
  { judge }: Question<Value>,
  answer: ModelAnswer,
): Promise<Judgement<Value>> {
  return judge(answer)
}

async function replyOf<Value>(question: Question<Value>): Promise<ModelOutcome> {
  const { signal, isAborted } = question
  let stop = () => {}
  const stopped = new Promise<null>((resolve) => {
    stop = () => resolve(null)
    signal.addEventListener('abort', stop, { once: true })
    // Whoever was told that the attempt starts may have aborted it.
    if (signal.aborted) stop()
  })
  const outcome = await Promise.race([generated(question), stopped])
  signal.removeEventListener('abort', stop)
  if (outcome?.kind === 'answered' || !signal.aborted) return outcome ?? ended('timeout')
  // The model was told to stop and says so; why it was told so is known here.
  return ended(isAborted() ? 'aborted' : 'timeout')
}

/** A socket that rejects breaks its word; that is a failure like others. */
async function generated<Value>({
  model,
  measured,
  signal,
}: Question<Value>): Promise<ModelOutcome> {
  try {
    return withoutSecrets(sanitizeOutcome(await model.generate(measured.request, { signal })))
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the model threw'
    return failedWith('invalid', safeExcerpt(message))
  }
}

/** Before anything is read from it: reasons and repairs quote what an answer says. */
function withoutSecrets(outcome: ModelOutcome): ModelOutcome {
  if (outcome.kind !== 'answered') return outcome
  return { ...outcome, text: redactedJson(outcome.text, redactor().redact) }
}

function ended(cause: 'aborted' | 'timeout'): ModelOutcome {
  return failedWith(cause, cause === 'aborted' ? 'aborted' : 'the time for models is over')
}

function failedWith(cause: ModelFailure['cause'], message: string): ModelOutcome {
  return { kind: 'failed', failure: { cause, status: null, retryAfterMs: null, message } }
}

function failedBy({ cause, status, retryAfterMs, message }: ModelFailure): AttemptOutcome {
  return { kind: 'failed', cause, status, retryAfterMs, message: safeExcerpt(message) }
}

function refusedBy(reasons: readonly string[], { text }: ModelAnswer): AttemptOutcome {
  return { kind: 'refused', reasons, excerpt: safeExcerpt(text) }
}

function attemptOf<Value>(
  question: Question<Value>,
  ending: {
    readonly startedAt: number
    readonly outcome: AttemptOutcome
    readonly answer: ModelAnswer | null
  },
): ModelAttempt {
  const { number, model, tryOfModel, waitedMs, clock } = question
  const { startedAt, outcome, answer } = ending
  const usage = answer?.usage ?? null
  const prices = model.prices ?? null
  const counted = usage === null || prices === null ? null : costOf(usage, prices)
  // What is no sum of money is not known, and must not be kept as one.
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
    chargedUsd: isFree(outcome) ? 0 : (costUsd ?? mostOf(question)),
  }
}

const mostUsd = 1_000_000

/** Nobody bills an error that came instead of an answer. */
function isFree(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'failed' && (outcome.status ?? 0) >= 400
}

/** Zero where nobody told the prices. */
export function mostOf({ model, measured }: Pick<Question<unknown>, 'model' | 'measured'>): number {
  if (model.prices === undefined || model.prices === null) return 0
  const { inputTokens: input, request } = measured
  return Math.min(mostUsd, highestCost({ input, output: request.maxOutputTokens }, model.prices))
}

/**
 * What a model that somebody else has written gives back, as the socket promises it. Whatever
 * has another shape is a failure like others, and costs nobody a turn.
 */
function sanitizeOutcome(given: unknown): ModelOutcome {
  try {
    return outcomeOf(given) ?? otherShape
  } catch {
    // A getter of theirs.
    return otherShape
  }
}

const otherShape = failedWith('invalid', 'the model gave back something of another shape')

function outcomeOf(given: unknown): ModelOutcome | null {
  const { kind, ...fields } = (given ?? {}) as Readonly<Record<string, unknown>>
  if (kind === 'answered') return answerOf(fields)
  const failure = fields['failure'] as Partial<ModelFailure> | null | undefined
  return kind === 'failed' && typeof failure === 'object' && failure !== null
    ? failureOf(failure)
    : null
}

const finishes: readonly unknown[] = ['stop', 'length', 'filter', 'other']

function answerOf(fields: Readonly<Record<string, unknown>>): ModelAnswer | null {
  const { text, finish, usage, model } = fields
  if (typeof text !== 'string' || !finishes.includes(finish)) return null
  return {
    kind: 'answered',
    text,
    finish: finish as ModelAnswer['finish'],
    usage: usageOf(usage),
    model: typeof model === 'string' ? model : '',
  }
}

/** Plain JSON, because it is kept; null where it is none. */
function usageOf(usage: unknown): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null
  try {
    return JSON.parse(JSON.stringify(usage)) as Usage
  } catch {
    return null
  }
}

const causes: readonly unknown[] = ['transport', 'refused', 'timeout', 'aborted', 'invalid']

function failureOf({
  cause,
  status,
  retryAfterMs,
  message,
}: Partial<ModelFailure>): ModelOutcome | null {
  if (!causes.includes(cause)) return null
  return {
    kind: 'failed',
    failure: {
      cause: cause as ModelFailure['cause'],
      status: countOf(status),
      retryAfterMs: countOf(retryAfterMs),
      message: typeof message === 'string' ? safeExcerpt(message) : '',
    },
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
