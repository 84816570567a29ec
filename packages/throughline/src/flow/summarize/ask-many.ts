/**
 * Several questions, some at once, under one limit on calls, time and money. Each is asked as
 * one alone would be; what one does not use of its share is there for the others. The last
 * question comes first: where calls run out, what is newest has been asked.
 *
 * The breaker is not moved: whether it helped is known when all is told.
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
  /** One for each question; null where nobody has answered it well. */
  readonly answers: readonly (Value | null)[]
}

export async function askMany<Value>(ask: AskMany<Value>): Promise<AskedMany<Value>> {
  const round = new Round(ask)
  const isClosed = breakerState(ask.state.breaker, ask.clock.now()) === 'closed'
  // Where none of the first is answered well, neither would be the others.
  await atOnce(isClosed ? ask.atOnce : 1, () => round.askNext())
  if (round.isHelpful) await atOnce(ask.atOnce, () => round.askAll())
  return round.asked()
}

async function atOnce(workers: number, work: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: workers }, work))
}

interface Share {
  readonly calls: number
  /** Null where there is no limit. */
  readonly usd: number | null
}

class Round<Value> {
  readonly #ask: AskMany<Value>
  readonly #begunAt: number
  readonly #all: Share
  readonly #waiting: number[]
  readonly #held = new Set<Share>()
  readonly #answers: (Value | null)[]
  readonly #attempts: ModelAttempt[] = []
  readonly #passedOver: PassedOver[] = []
  #begun: number
  /** By questions that are through. */
  #usedCalls = 0
  #usedUsd = 0

  constructor(ask: AskMany<Value>) {
    this.#ask = ask
    this.#begunAt = ask.clock.now()
    this.#begun = ask.attemptsBefore ?? 0
    this.#all = allOf(ask, this.#begunAt)
    this.#waiting = ask.questions.map((_, index) => index)
    this.#answers = ask.questions.map(() => null)
  }

  get isHelpful(): boolean {
    return this.#answers.some((answer) => answer !== null)
  }

  async askAll(): Promise<void> {
    while (await this.askNext());
  }

  /** False where nothing more is to be asked. */
  async askNext(): Promise<boolean> {
    const { limits, clock, signal, state, questions } = this.#ask
    const leftMs = limits.timeMs - (clock.now() - this.#begunAt)
    if (leftMs <= 0 || signal.aborted) return false
    const share = this.#share()
    const index = share === null ? undefined : this.#waiting.pop()
    const question = index === undefined ? undefined : questions[index]
    if (share === null || index === undefined || question === undefined) return false
    this.#held.add(share)
    const numbers = new Map<number, number>()
    const asked = await askModels({
      ...this.#ask,
      ...question,
      // The share has what an hour has left.
      limits: { ...limits, ...share, usdPerHour: null, callsPerHour: share.calls, timeMs: leftMs },
      state: { ...state, spent: [] },
      note: (event) => this.#note(event, numbers),
    }).finally(() => this.#held.delete(share))
    this.#usedCalls += asked.attempts.length
    this.#usedUsd += sum(asked.attempts.map(({ chargedUsd }) => chargedUsd))
    this.#passedOver.push(...asked.passedOver)
    if (asked.kind === 'accepted') this.#answers[index] = asked.value
    return true
  }

  asked(): AskedMany<Value> {
    const { state } = this.#ask
    // In the order in which they began.
    const attempts = this.#attempts.toSorted((left, right) => left.number - right.number)
    const spent = spentWith(state.spent, attempts, this.#begunAt)
    return {
      answers: this.#answers,
      attempts,
      passedOver: this.#passedOver,
      state: { ...state, spent },
    }
  }

  /** Null where no call is left. What waits is sure of one call before anybody is sure of two. */
  #share(): Share | null {
    const mostCalls = this.#ask.models.length * triesOfModel
    const held = [...this.#held]
    const freeCalls = this.#all.calls - this.#usedCalls - sum(held.map(({ calls }) => calls))
    if (freeCalls < 1) return null
    const calls = Math.max(1, Math.min(mostCalls, freeCalls - (this.#waiting.length - 1)))
    if (this.#all.usd === null) return { calls, usd: null }
    const freeUsd = this.#all.usd - this.#usedUsd - sum(held.map(({ usd }) => usd ?? 0))
    const others = Math.min(this.#ask.atOnce - held.length, this.#waiting.length)
    return { calls, usd: Math.max(0, freeUsd / Math.max(1, others)) }
  }

  #note(event: ModelEvent, numbers: Map<number, number>): void {
    if (event.kind === 'model-attempt-started') {
      this.#begun += 1
      numbers.set(event.number, this.#begun)
      this.#ask.note({ ...event, number: this.#begun })
      return
    }
    const number = numbers.get(event.attempt.number) ?? event.attempt.number
    const attempt = { ...event.attempt, number }
    this.#attempts.push(attempt)
    this.#ask.note({ kind: 'model-attempt-ended', attempt })
  }
}

const triesOfModel = 2

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
