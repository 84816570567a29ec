/**
 * Asks several questions in parallel under one limit on calls, time and money; unused shares go to
 * the others. The last question is asked first, so that the newest is answered if calls run out. The
 * caller handles the breaker.
 */
import { breakerState, type ModelAttempt, type ModelEvent } from '../../domain/model-calls.ts'
import type { PassedOver } from '../../domain/summary.ts'
import {
  type Ask,
  type AskAccount,
  askModels,
  spentLately,
  spentWith,
  sumUsd,
} from './ask-models.ts'

type Question<Value> = Pick<Ask<Value>, 'requestFor' | 'judge'>

export interface AskMany<Value> extends Omit<Ask<Value>, keyof Question<Value>> {
  readonly questions: readonly Question<Value>[]
  readonly atOnce: number
}

export interface AskedMany<Value> extends AskAccount {
  /** One for each question; null if no answer was accepted. */
  readonly answers: readonly (Value | null)[]
}

interface Share {
  readonly calls: number
  readonly usd: number | null
}

const triesOfModel = 2

export async function askMany<Value>(ask: AskMany<Value>): Promise<AskedMany<Value>> {
  const { questions, models, limits, state, clock, signal } = ask
  const startedAt = clock.now()
  const all = allOf(ask, startedAt)
  const waiting = questions.map((_, index) => index)
  const held = new Set<Share>()
  const answers: (Value | null)[] = questions.map(() => null)
  const attempts: ModelAttempt[] = []
  const passedOver: PassedOver[] = []
  const used = { calls: 0, usd: 0 }
  /** Null if no call is left. Each waiting question gets one call before any gets two. */
  const shareOfNext = (): Share | null => {
    const freeCalls = all.calls - used.calls - sum([...held].map(({ calls }) => calls))
    if (freeCalls < 1) return null
    const mostCalls = models.length * triesOfModel
    const calls = Math.max(1, Math.min(mostCalls, freeCalls - (waiting.length - 1)))
    if (all.usd === null) return { calls, usd: null }
    const freeUsd = all.usd - used.usd - sum([...held].map(({ usd }) => usd ?? 0))
    const others = Math.min(ask.atOnce - held.size, waiting.length)
    return { calls, usd: Math.max(0, freeUsd / Math.max(1, others)) }
  }
  const numbered = numbering(ask, attempts)
  const askNext = async (): Promise<boolean> => {
    const timeMs = limits.timeMs - (clock.now() - startedAt)
    if (timeMs <= 0 || signal.aborted) return false
    const share = shareOfNext()
    const index = share === null ? undefined : waiting.pop()
    const question = index === undefined ? undefined : questions[index]
    if (share === null || index === undefined || question === undefined) return false
    held.add(share)
    const asked = await askModels({
      ...ask,
      ...question,
      // The share already respects the hourly limits.
      limits: { ...limits, ...share, usdPerHour: null, callsPerHour: share.calls, timeMs },
      state: { ...state, spent: [] },
      note: numbered(),
    }).finally(() => held.delete(share))
    used.calls += asked.attempts.length
    used.usd += sum(asked.attempts.map(({ chargedUsd }) => chargedUsd))
    passedOver.push(...asked.passedOver)
    if (asked.kind === 'accepted') answers[index] = asked.value
    return true
  }
  const isClosed = breakerState(state.breaker, startedAt) === 'closed'
  await atOnce(isClosed ? ask.atOnce : 1, askNext)
  // If none of the first answers is accepted, the others would fail too.
  if (answers.some((answer) => answer !== null))
    await atOnce(ask.atOnce, async () => {
      while (await askNext());
    })
  attempts.sort((left, right) => left.number - right.number)
  const spent = spentWith(state.spent, attempts, startedAt)
  return { answers, attempts, passedOver, state: { ...state, spent } }
}

/** Numbers the attempts of all questions in the order in which they start. */
function numbering<Value>({ note, attemptsBefore = 0 }: AskMany<Value>, attempts: ModelAttempt[]) {
  let started = attemptsBefore
  return () => {
    const numbers = new Map<number, number>()
    return (event: ModelEvent) => {
      if (event.kind === 'model-attempt-started') {
        started += 1
        numbers.set(event.number, started)
        return note({ ...event, number: started })
      }
      const number = numbers.get(event.attempt.number) ?? event.attempt.number
      const attempt = { ...event.attempt, number }
      attempts.push(attempt)
      note({ kind: 'model-attempt-ended', attempt })
    }
  }
}

async function atOnce(workers: number, work: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: workers }, work))
}

function allOf<Value>({ limits, state }: AskMany<Value>, now: number): Share {
  const lately = spentLately(state.spent, now)
  const { usd, usdPerHour } = limits
  const usdLeft = usdPerHour === null ? null : usdPerHour - sumUsd(lately)
  return {
    calls: Math.min(limits.calls, limits.callsPerHour - lately.length),
    usd: usd === null || usdLeft === null ? (usd ?? usdLeft) : Math.min(usd, usdLeft),
  }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
