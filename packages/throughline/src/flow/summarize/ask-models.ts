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
  askOnce,
  type CountedQuestion,
  type Judge,
  mostOf,
  type Question,
  type Replied,
} from './ask-once.ts'

export interface Ask<Value, Made extends CountedQuestion = CountedQuestion> {
  readonly models: readonly LanguageModel[]
  /**
   * Built for each model's window; null if it does not fit. A model that is listed twice gets a
   * different question the second time (`again`).
   */
  readonly requestFor: (model: LanguageModel, again: boolean) => Made | null
  readonly judge: (answer: ModelAnswer, question: Made) => ReturnType<Judge<Value>>
  readonly limits: AskLimits
  readonly state: AskState
  /** Earlier attempts for the same summary; the numbers continue after them. */
  readonly attemptsBefore?: number
  readonly clock: Clock
  readonly timer: Timer
  readonly signal: AbortSignal
  readonly note: (event: ModelEvent) => void
}

type GivenUp = Exclude<SummarizationStop, 'nothing-to-summarize' | 'superseded' | 'history-changed'>

type Asked<Value> = AskAccount &
  (
    | { readonly kind: 'accepted'; readonly value: Value; readonly answer: ModelAnswer }
    | { readonly kind: 'given-up'; readonly why: GivenUp }
  )

export interface AskAccount {
  readonly attempts: readonly ModelAttempt[]
  readonly passedOver: readonly PassedOver[]
  /** The caller keeps it, also after a failure. */
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
export function limitsAfter(
  limits: AskLimits,
  attempts: readonly ModelAttempt[],
  elapsedMs: number,
): AskLimits {
  return {
    ...limits,
    calls: limits.calls - attempts.length,
    usd: limits.usd === null ? null : limits.usd - sumCharged(attempts),
    timeMs: Math.max(1, limits.timeMs - elapsedMs),
  }
}

export async function askModels<Value, Made extends CountedQuestion>(
  ask: Ask<Value, Made>,
): Promise<Asked<Value>> {
  const startedAt = ask.clock.now()
  const breaker = breakerState(ask.state.breaker, startedAt)
  if (breaker === 'open')
    return { kind: 'given-up', why: 'breaker-open', attempts: [], passedOver: [], state: ask.state }
  const over = new AbortController()
  const done = new AbortController()
  const round: Round<Value> = {
    ask,
    pose: (model, again) => {
      const measured = ask.requestFor(model, again)
      return measured && { model, measured, judge: (answer) => ask.judge(answer, measured) }
    },
    startedAt,
    // A half-open breaker lets one call through.
    calls: breaker === 'half-open' ? Math.min(1, ask.limits.calls) : ask.limits.calls,
    over: over.signal,
    signal: AbortSignal.any([ask.signal, over.signal]),
    attempts: [],
    passedOver: [],
    spentBefore: spentLately(ask.state.spent, startedAt),
  }
  ask.timer.wait(ask.limits.timeMs, done.signal).then(() => {
    if (!done.signal.aborted) over.abort()
  })
  try {
    return await inOrder(round)
  } finally {
    done.abort()
  }
}

interface Round<Value> {
  readonly ask: Omit<Ask<Value>, 'requestFor' | 'judge'>
  readonly pose: (model: LanguageModel, again: boolean) => Posed<Value> | null
  readonly startedAt: number
  readonly calls: number
  readonly over: AbortSignal
  readonly signal: AbortSignal
  readonly attempts: ModelAttempt[]
  readonly passedOver: PassedOver[]
  readonly spentBefore: readonly Spent[]
}

type Posed<Value> = Pick<Question<Value>, 'model' | 'measured' | 'judge'>

async function inOrder<Value>(round: Round<Value>): Promise<Asked<Value>> {
  const { attempts, passedOver, ask } = round
  const away = new Set<LanguageModel>()
  for (const [at, model] of ask.models.entries()) {
    const stop = stopBefore(round)
    if (stop !== null) return givenUp(round, stop)
    if (away.has(model)) continue
    const posed = round.pose(model, ask.models.indexOf(model) < at)
    if (posed === null) {
      passedOver.push({ model: model.id, why: 'does-not-fit' })
      continue
    }
    const before = attempts.length
    const accepted = await twiceAtMost(round, posed)
    if (accepted !== null)
      return { kind: 'accepted', ...accepted, ...account(round, closedBreaker) }
    const isAway = attempts
      .slice(before)
      .some(({ outcome }) => outcome.kind === 'failed' && outcome.cause !== 'invalid')
    if (isAway) away.add(model)
  }
  return givenUp(round, stopBefore(round) ?? (attempts.length === 0 ? 'no-model' : 'all-failed'))
}

async function twiceAtMost<Value>(
  round: Round<Value>,
  posed: Posed<Value>,
): Promise<Replied<Value>['accepted']> {
  const first = await once(round, { ...posed, tryOfModel: 1, waitedMs: 0 })
  if (first === null || first.accepted !== null) return first?.accepted ?? null
  const waitedMs = waitBeforeRetry(round, first.attempt)
  if (waitedMs === null) return null
  await round.ask.timer.wait(waitedMs, round.signal)
  if (stopBefore(round) !== null) return null
  const second = await once(round, { ...posed, tryOfModel: 2, waitedMs })
  return second?.accepted ?? null
}

/** Null if the money limits do not allow it. */
async function once<Value>(
  round: Round<Value>,
  one: Posed<Value> & Pick<Question<Value>, 'tryOfModel' | 'waitedMs'>,
): Promise<Replied<Value> | null> {
  const { ask, signal, attempts, passedOver } = round
  const why = tooDear(round, one)
  if (why !== null) {
    passedOver.push({ model: one.model.id, why })
    return null
  }
  const { clock } = ask
  const isAborted = () => ask.signal.aborted
  // Recorded with the event, so that the attempt is kept even if a judge throws.
  const note = (event: ModelEvent) => {
    if (event.kind === 'model-attempt-ended') attempts.push(event.attempt)
    ask.note(event)
  }
  const number = (ask.attemptsBefore ?? 0) + attempts.length + 1
  return askOnce({ ...one, number, signal, isAborted, clock, note })
}

function stopBefore<Value>(round: Round<Value>): GivenUp | null {
  const { ask, over, calls, attempts, spentBefore } = round
  if (ask.signal.aborted) return 'aborted'
  if (over.aborted) return 'time'
  if (attempts.length >= calls) return 'calls'
  const lately = spentBefore.length + attempts.length
  return lately >= ask.limits.callsPerHour ? 'calls-per-hour' : null
}

function tooDear<Value>(
  { ask: { limits }, attempts, spentBefore }: Round<Value>,
  one: Posed<Value>,
): PassedOver['why'] | null {
  const { usd, usdPerHour } = limits
  if (usd === null && usdPerHour === null) return null
  if (one.model.prices === undefined || one.model.prices === null) return 'price-unknown'
  const after = sumCharged(attempts) + mostOf(one)
  if (usd !== null && after > usd) return 'money'
  return usdPerHour !== null && sumUsd(spentBefore) + after > usdPerHour ? 'money-per-hour' : null
}

const firstPauseMs = 250

/** Null if the model is not asked again. */
function waitBeforeRetry<Value>(
  round: Round<Value>,
  { outcome, model }: ModelAttempt,
): number | null {
  const { ask, attempts, startedAt } = round
  if (outcome.kind !== 'failed' || stopBefore(round) !== null) return null
  if (outcome.cause !== 'transport' && outcome.cause !== 'timeout') return null
  const retries = attempts.filter(({ tryOfModel }) => tryOfModel === 2).length
  const pauseMs = firstPauseMs * 2 ** retries
  const waitMs = Math.max(pauseMs, outcome.retryAfterMs ?? 0)
  const leftMs = startedAt + ask.limits.timeMs - ask.clock.now()
  if (waitMs <= Math.min(leftMs, Math.max(pauseMs, defaults.retryAfterMs.value))) return waitMs
  round.passedOver.push({ model, why: 'wait-too-long' })
  return null
}

/** No attempt, or an abort by the caller, does not count as a failure. */
function givenUp<Value>(round: Round<Value>, why: GivenUp): Asked<Value> {
  const { ask, attempts } = round
  const { breaker } = ask.state
  const failed = attempts.length > 0 && why !== 'aborted'
  const next = failed ? afterIneffective(breaker, ask.clock.now()) : breaker
  return { kind: 'given-up', why, ...account(round, next) }
}

function account<Value>(round: Round<Value>, breaker: AskState['breaker']): AskAccount {
  const { ask, attempts, passedOver, startedAt } = round
  const spent = spentWith(ask.state.spent, attempts, startedAt)
  return { attempts, passedOver, state: { ...ask.state, breaker, spent } }
}

const hourMs = 3_600_000

/** Ignores calls older than an hour, and future ones, which a clock that was set back leaves. */
export function spentLately(spent: readonly Spent[], now: number): readonly Spent[] {
  return spent.filter(({ at }) => Math.abs(now - at) < hourMs)
}

export function sumUsd(spent: readonly Spent[]): number {
  return spent.reduce((sum, { usd }) => sum + usd, 0)
}

export function spentOn(attempts: readonly ModelAttempt[]): readonly Spent[] {
  return attempts.map(({ startedAt, chargedUsd: usd }) => ({ at: startedAt, usd }))
}

export function spentWith(
  spent: readonly Spent[],
  attempts: readonly ModelAttempt[],
  now: number,
): readonly Spent[] {
  return [...spentLately(spent, now), ...spentOn(attempts)]
}

function sumCharged(attempts: readonly ModelAttempt[]): number {
  return attempts.reduce((sum, { chargedUsd }) => sum + chargedUsd, 0)
}

/** The cost of all attempts; null if the cost of any is unknown. */
export function costOfAll(attempts: readonly ModelAttempt[]): number | null {
  if (attempts.some(({ costUsd }) => costUsd === null)) return null
  return attempts.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
}
