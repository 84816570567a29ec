/**
 * Asks models in order until the judge accepts an answer.
 *
 * Retries transient failures once, and refused answers never, because the same question would cost
 * the same again. Calls, time and money are limited, and a breaker stops calls that keep failing. No
 * provider error throws.
 */
import { defaults } from '../../defaults-data.ts'
import {
  type AskLimits,
  type AskState,
  afterIneffective,
  breakerState,
  closedBreaker,
  type ModelAttempt,
  type ModelEvent,
  type Spent,
} from '../../domain/model-calls.ts'
import type { PassedOver, SummarizationStop } from '../../domain/summary.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LanguageModel, ModelAnswer } from '../../ports/language-model.ts'
import type { Timer } from '../../ports/timer.ts'
import {
  type AttemptResult,
  askOnce,
  type CountedRequest,
  type Judge,
  maxCostUsd,
  type Question,
} from './ask-once.ts'

export interface Ask<Value, Request extends CountedRequest = CountedRequest> {
  readonly models: readonly LanguageModel[]
  /** For each model's window; null if it does not fit. Asked again, a model gets another request. */
  readonly requestFor: (model: LanguageModel, isAgain: boolean) => Request | null
  readonly judge: (answer: ModelAnswer, request: Request) => ReturnType<Judge<Value>>
  readonly limits: AskLimits
  readonly state: AskState
  /** Earlier attempts for the same summary; the numbers continue after them. */
  readonly attemptsBefore?: number
  readonly clock: Clock
  readonly timer: Timer
  readonly signal: AbortSignal
  readonly reportEvent: (event: ModelEvent) => void
}

type AskStop = Exclude<SummarizationStop, 'nothing-to-summarize' | 'superseded' | 'history-changed'>

type AskResult<Value> = AskAccount &
  (
    | { readonly kind: 'accepted'; readonly value: Value; readonly answer: ModelAnswer }
    | { readonly kind: 'given-up'; readonly why: AskStop }
  )

export interface AskAccount {
  readonly attempts: readonly ModelAttempt[]
  readonly passedOver: readonly PassedOver[]
  /** To be stored, also after a failure. */
  readonly state: AskState
}

export function addAccounts(before: AskAccount, after: AskAccount): AskAccount {
  return {
    attempts: [...before.attempts, ...after.attempts],
    passedOver: [...before.passedOver, ...after.passedOver],
    state: after.state,
  }
}

/** The limits that remain after attempts; at least 1 ms of time remains. */
export function limitsAfter(limits: AskLimits, attempts: readonly ModelAttempt[], spentMs: number) {
  return {
    ...limits,
    calls: limits.calls - attempts.length,
    usd: limits.usd === null ? null : limits.usd - sumCharged(attempts),
    timeMs: Math.max(1, limits.timeMs - spentMs),
  }
}

export async function askModels<Value, Request extends CountedRequest>(
  ask: Ask<Value, Request>,
): Promise<AskResult<Value>> {
  const startedAt = ask.clock.now()
  const breaker = breakerState(ask.state.breaker, startedAt)
  if (breaker === 'open')
    return { kind: 'given-up', why: 'breaker-open', attempts: [], passedOver: [], state: ask.state }
  const timeout = new AbortController()
  const finished = new AbortController()
  const round: Round<Value> = {
    ask,
    questionFor: (model, isAgain) => {
      const counted = ask.requestFor(model, isAgain)
      return counted && { model, counted, judge: (answer) => ask.judge(answer, counted) }
    },
    startedAt,
    // A half-open breaker lets one call through.
    maxCalls: breaker === 'half-open' ? Math.min(1, ask.limits.calls) : ask.limits.calls,
    timeout: timeout.signal,
    signal: AbortSignal.any([ask.signal, timeout.signal]),
    attempts: [],
    passedOver: [],
    spentBefore: spentInLastHour(ask.state.spent, startedAt),
  }
  ask.timer.wait(ask.limits.timeMs, finished.signal).then(() => {
    if (!finished.signal.aborted) timeout.abort()
  })
  try {
    return await askInOrder(round)
  } finally {
    finished.abort()
  }
}

interface Round<Value> {
  readonly ask: Omit<Ask<Value>, 'requestFor' | 'judge'>
  readonly questionFor: (model: LanguageModel, isAgain: boolean) => ModelQuestion<Value> | null
  readonly startedAt: number
  readonly maxCalls: number
  readonly timeout: AbortSignal
  /** Aborted by the caller or the timeout. */
  readonly signal: AbortSignal
  readonly attempts: ModelAttempt[]
  readonly passedOver: PassedOver[]
  readonly spentBefore: readonly Spent[]
}

type ModelQuestion<Value> = Pick<Question<Value>, 'model' | 'counted' | 'judge'>

async function askInOrder<Value>(round: Round<Value>): Promise<AskResult<Value>> {
  const { attempts, passedOver, ask } = round
  const unavailable = new Set<LanguageModel>()
  for (const [index, model] of ask.models.entries()) {
    const stop = stopBefore(round)
    if (stop !== null) return giveUp(round, stop)
    if (unavailable.has(model)) continue
    const question = round.questionFor(model, ask.models.indexOf(model) < index)
    if (question === null) {
      passedOver.push({ model: model.id, why: 'does-not-fit' })
      continue
    }
    const attemptsBefore = attempts.length
    const accepted = await askWithRetry(round, question)
    if (accepted !== null)
      return { kind: 'accepted', ...accepted, ...accountOf(round, closedBreaker) }
    const isUnavailable = attempts
      .slice(attemptsBefore)
      .some(({ outcome }) => outcome.kind === 'failed' && outcome.cause !== 'invalid')
    if (isUnavailable) unavailable.add(model)
  }
  return giveUp(round, stopBefore(round) ?? (attempts.length === 0 ? 'no-model' : 'all-failed'))
}

async function askWithRetry<Value>(round: Round<Value>, question: ModelQuestion<Value>) {
  const first = await askIfAffordable(round, { ...question, tryOfModel: 1, waitedMs: 0 })
  if (first === null || first.accepted !== null) return first?.accepted ?? null
  const waitedMs = waitBeforeRetry(round, first.attempt)
  if (waitedMs === null) return null
  await round.ask.timer.wait(waitedMs, round.signal)
  if (stopBefore(round) !== null) return null
  const second = await askIfAffordable(round, { ...question, tryOfModel: 2, waitedMs })
  return second?.accepted ?? null
}

/** Null if the limits on money do not allow the call. */
async function askIfAffordable<Value>(
  round: Round<Value>,
  question: ModelQuestion<Value> & Pick<Question<Value>, 'tryOfModel' | 'waitedMs'>,
): Promise<AttemptResult<Value> | null> {
  const { ask, signal, attempts, passedOver } = round
  const why = overMoneyLimit(round, question)
  if (why !== null) {
    passedOver.push({ model: question.model.id, why })
    return null
  }
  const { clock } = ask
  const isAborted = () => ask.signal.aborted
  // Recorded with the event, so that the attempt is kept even if a judge throws.
  const reportEvent = (event: ModelEvent) => {
    if (event.kind === 'model-attempt-ended') attempts.push(event.attempt)
    ask.reportEvent(event)
  }
  const number = (ask.attemptsBefore ?? 0) + attempts.length + 1
  return askOnce({ ...question, number, signal, isAborted, clock, reportEvent })
}

/** Why no further call may be made; null if one may. */
function stopBefore<Value>(round: Round<Value>): AskStop | null {
  const { ask, timeout, maxCalls, attempts, spentBefore } = round
  if (ask.signal.aborted) return 'aborted'
  if (timeout.aborted) return 'time'
  if (attempts.length >= maxCalls) return 'calls'
  const callsInLastHour = spentBefore.length + attempts.length
  return callsInLastHour >= ask.limits.callsPerHour ? 'calls-per-hour' : null
}

function overMoneyLimit<Value>(
  { ask: { limits }, attempts, spentBefore }: Round<Value>,
  question: ModelQuestion<Value>,
): PassedOver['why'] | null {
  const { usd, usdPerHour } = limits
  if (usd === null && usdPerHour === null) return null
  if (question.model.prices === undefined || question.model.prices === null) return 'price-unknown'
  const usdAfter = sumCharged(attempts) + maxCostUsd(question)
  if (usd !== null && usdAfter > usd) return 'money'
  const isOverHourly = usdPerHour !== null && sumUsd(spentBefore) + usdAfter > usdPerHour
  return isOverHourly ? 'money-per-hour' : null
}

const firstPauseMs = 250

/** How long to wait before the model is asked again; null if it is not. */
function waitBeforeRetry<Value>(round: Round<Value>, { outcome, model }: ModelAttempt) {
  const { ask, attempts, startedAt } = round
  if (outcome.kind !== 'failed' || stopBefore(round) !== null) return null
  if (outcome.cause !== 'transport' && outcome.cause !== 'timeout') return null
  const retries = attempts.filter(({ tryOfModel }) => tryOfModel === 2).length
  const pauseMs = firstPauseMs * 2 ** retries
  const waitMs = Math.max(pauseMs, outcome.retryAfterMs ?? 0)
  const leftMs = startedAt + ask.limits.timeMs - ask.clock.now()
  if (waitMs <= Math.min(leftMs, Math.max(pauseMs, defaults.retryAfterMs))) return waitMs
  round.passedOver.push({ model, why: 'wait-too-long' })
  return null
}

/** No attempt, or an abort by the caller, does not count as a failure. */
function giveUp<Value>(round: Round<Value>, why: AskStop): AskResult<Value> {
  const { ask, attempts } = round
  const { breaker } = ask.state
  const isFailed = attempts.length > 0 && why !== 'aborted'
  const next = isFailed ? afterIneffective(breaker, ask.clock.now()) : breaker
  return { kind: 'given-up', why, ...accountOf(round, next) }
}

function accountOf<Value>(round: Round<Value>, breaker: AskState['breaker']): AskAccount {
  const { ask, attempts, passedOver, startedAt } = round
  const spent = addSpent(ask.state.spent, attempts, startedAt)
  return { attempts, passedOver, state: { ...ask.state, breaker, spent } }
}

const hourMs = 3_600_000

/** Ignores calls older than an hour, and future ones, which a clock that was set back leaves. */
export function spentInLastHour(spent: readonly Spent[], now: number): readonly Spent[] {
  return spent.filter(({ at }) => Math.abs(now - at) < hourMs)
}

export function sumUsd(spent: readonly Spent[]): number {
  return spent.reduce((sum, { usd }) => sum + usd, 0)
}

export function spentByAttempts(attempts: readonly ModelAttempt[]): readonly Spent[] {
  return attempts.map(({ startedAt, chargedUsd: usd }) => ({ at: startedAt, usd }))
}

export function addSpent(spent: readonly Spent[], attempts: readonly ModelAttempt[], now: number) {
  return [...spentInLastHour(spent, now), ...spentByAttempts(attempts)]
}

export function sumCharged(attempts: readonly ModelAttempt[]): number {
  return attempts.reduce((sum, { chargedUsd }) => sum + chargedUsd, 0)
}

/** The cost of all attempts; null if the cost of any is unknown. */
export function costOfAll(attempts: readonly ModelAttempt[]): number | null {
  if (attempts.some(({ costUsd }) => costUsd === null)) return null
  return attempts.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
}
