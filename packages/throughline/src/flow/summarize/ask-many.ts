/**
 * Asks several questions in parallel under one limit on calls, time and money; what one question does
 * not use, others may. The last question is asked first, so that the newest is answered if calls run
 * out. The caller updates the breaker.
 */
import { breakerState, type ModelAttempt, type ModelEvent } from '../../domain/model-calls.ts'
import type { PassedOver } from '../../domain/summary.ts'
import {
  type Ask,
  type AskAccount,
  addSpent,
  askModels,
  spentInLastHour,
  sumCharged,
  sumUsd,
} from './ask-models.ts'

type Question<Value> = Pick<Ask<Value>, 'requestFor' | 'judge'>

export interface AskMany<Value> extends Omit<Ask<Value>, keyof Question<Value>> {
  readonly questions: readonly Question<Value>[]
  /** How many questions are asked in parallel. */
  readonly atOnce: number
}

export interface AskedMany<Value> extends AskAccount {
  /** One for each question; null if no answer was accepted. */
  readonly answers: readonly (Value | null)[]
}

/** Calls and money for one question, or for all of them; `usd` is null without a limit. */
interface Share {
  readonly calls: number
  readonly usd: number | null
}

const triesPerModel = 2

export async function askMany<Value>(ask: AskMany<Value>): Promise<AskedMany<Value>> {
  const { questions, models, limits, state, clock, signal } = ask
  const startedAt = clock.now()
  const total = totalShare(ask, startedAt)
  const waitingIndexes = questions.map((_, index) => index)
  const runningShares = new Set<Share>()
  const answers: (Value | null)[] = questions.map(() => null)
  const attempts: ModelAttempt[] = []
  const passedOver: PassedOver[] = []
  const used = { calls: 0, usd: 0 }
  /** Null if no call is left. Each waiting question gets one call before any gets two. */
  const shareOfNext = (): Share | null => {
    const reserved = { calls: 0, usd: 0 }
    for (const { calls, usd } of runningShares) {
      reserved.calls += calls
      reserved.usd += usd ?? 0
    }
    const callsLeft = total.calls - used.calls - reserved.calls
    if (callsLeft < 1) return null
    const maxCalls = models.length * triesPerModel
    const calls = Math.max(1, Math.min(maxCalls, callsLeft - (waitingIndexes.length - 1)))
    if (total.usd === null) return { calls, usd: null }
    const usdLeft = total.usd - used.usd - reserved.usd
    const startable = Math.min(ask.atOnce - runningShares.size, waitingIndexes.length)
    return { calls, usd: Math.max(0, usdLeft / Math.max(1, startable)) }
  }
  const reporterOfQuestion = attemptNumbering(ask, attempts)
  /** False if no question or no limit is left. */
  const askNext = async (): Promise<boolean> => {
    const timeMs = limits.timeMs - (clock.now() - startedAt)
    if (timeMs <= 0 || signal.aborted) return false
    const share = shareOfNext()
    const index = share === null ? undefined : waitingIndexes.pop()
    const question = index === undefined ? undefined : questions[index]
    if (share === null || index === undefined || question === undefined) return false
    runningShares.add(share)
    const asked = await askModels({
      ...ask,
      ...question,
      // The share already respects the hourly limits.
      limits: { ...limits, ...share, usdPerHour: null, callsPerHour: share.calls, timeMs },
      state: { ...state, spent: [] },
      reportEvent: reporterOfQuestion(),
    }).finally(() => runningShares.delete(share))
    used.calls += asked.attempts.length
    used.usd += sumCharged(asked.attempts)
    passedOver.push(...asked.passedOver)
    if (asked.kind === 'accepted') answers[index] = asked.value
    return true
  }
  const isClosed = breakerState(state.breaker, startedAt) === 'closed'
  await runWorkers(isClosed ? ask.atOnce : 1, askNext)
  // If none of the first answers is accepted, the others would fail too.
  if (answers.some((answer) => answer !== null))
    await runWorkers(ask.atOnce, async () => {
      while (await askNext());
    })
  attempts.sort((left, right) => left.number - right.number)
  const spent = addSpent(state.spent, attempts, startedAt)
  return { answers, attempts, passedOver, state: { ...state, spent } }
}

/** Numbers the attempts of all questions in the order in which they start. */
function attemptNumbering<Value>(ask: AskMany<Value>, attempts: ModelAttempt[]) {
  const { reportEvent, attemptsBefore: before = 0 } = ask
  let started = before
  return () => {
    const numbers = new Map<number, number>()
    return (event: ModelEvent) => {
      if (event.kind === 'model-attempt-started') {
        started += 1
        numbers.set(event.number, started)
        return reportEvent({ ...event, number: started })
      }
      const number = numbers.get(event.attempt.number) ?? event.attempt.number
      const attempt = { ...event.attempt, number }
      attempts.push(attempt)
      reportEvent({ kind: 'model-attempt-ended', attempt })
    }
  }
}

async function runWorkers(workers: number, work: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: workers }, work))
}

/** The limits of this call, or what is left of the hourly ones if that is less. */
function totalShare<Value>({ limits, state }: AskMany<Value>, now: number): Share {
  const recent = spentInLastHour(state.spent, now)
  const { usd, usdPerHour } = limits
  const usdLeft = usdPerHour === null ? null : usdPerHour - sumUsd(recent)
  return {
    calls: Math.min(limits.calls, limits.callsPerHour - recent.length),
    usd: usd === null || usdLeft === null ? (usd ?? usdLeft) : Math.min(usd, usdLeft),
  }
}
