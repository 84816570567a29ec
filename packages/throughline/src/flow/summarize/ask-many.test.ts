import { describe, expect, it } from 'vitest'
import { type AskLimits, newAskState } from '../../domain/model-calls.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { askMany } from './ask-many.ts'
import {
  defaultAskLimits,
  fails,
  type Line,
  says,
  scene,
  scriptedModel,
} from './ask-models.test-support.ts'
import type { Ask } from './ask-models.ts'

const good = says('good summary')
const bad = says('bad summary')
const away = fails('transport', { status: 503 })
const halfOpen = { ...newAskState, breaker: { ineffective: 2, openings: 1, openedAt: 0 } }

function many(
  script: readonly Line[],
  questions: number,
  {
    limits = {},
    prices = null,
    ...more
  }: Partial<Omit<Ask<string>, 'limits'>> & {
    limits?: Partial<AskLimits>
    prices?: LanguageModel['prices']
  } = {},
) {
  const model = scriptedModel('house/first', script, prices)
  const { ask, events } = scene([model], more)
  const { requestFor, judge, ...shared } = ask
  const asked = askMany({
    ...shared,
    questions: Array.from({ length: questions }, () => ({ requestFor, judge })),
    atOnce: 4,
    limits: { ...defaultAskLimits, calls: 24, ...limits },
  })
  return { model, events, asked }
}

const answered = (answers: readonly (string | null)[]) => answers.filter((each) => each !== null)

describe('several questions under one limit', () => {
  it('answers each, and keeps what was spent', async () => {
    const { asked, model } = many([good], 9)
    const { answers, attempts, state } = await asked
    expect(answered(answers)).toHaveLength(9)
    expect(model.asked).toHaveLength(9)
    expect(state.spent).toHaveLength(9)
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('numbers attempts in the order in which they begin, each with its end', async () => {
    const { asked, events } = many([away, good], 6)
    await asked
    const started = events.flatMap((event) =>
      event.kind === 'model-attempt-started' ? [event.number] : [],
    )
    const ended = events.flatMap((event) =>
      event.kind === 'model-attempt-ended' ? [event.attempt.number] : [],
    )
    expect(started).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(ended.toSorted()).toEqual(started)
  })

  it.each([0, 1, 3, 5, 8, 11])('S1-101 XC-17: makes no more than %i calls', async (calls) => {
    for (const script of [[good], [away, good], [away]]) {
      const { asked, model } = many(script, 6, { limits: { calls } })
      const { attempts } = await asked
      expect(model.asked.length).toBeLessThanOrEqual(calls)
      expect(attempts).toHaveLength(model.asked.length)
    }
  })

  it('asks the last question first, where calls are few', async () => {
    const { answers } = await many([good], 5, { limits: { calls: 2 } }).asked
    expect(answers.map((answer) => answer !== null)).toEqual([false, false, false, true, true])
  })

  it('makes no more calls than an hour has left', async () => {
    const spent = Array.from({ length: 57 }, () => ({ at: 1_000_000, usd: 0 }))
    const { asked, model } = many([good], 9, { state: { ...newAskState, spent } })
    expect((await asked).state.spent).toHaveLength(60)
    expect(model.asked).toHaveLength(3)
  })

  it.each([{ usd: 0.01 }, { usdPerHour: 0.01 }, { usd: 0.01, usdPerHour: 0.008 }])(
    'spends no more than $usd $usdPerHour',
    async (limits) => {
      const prices = { inputUsd: 1, outputUsd: 2 }
      const { attempts, passedOver } = await many([good], 12, { limits, prices }).asked
      const charged = attempts.reduce((sum, { chargedUsd }) => sum + chargedUsd, 0)
      expect(attempts.length).toBeGreaterThan(1)
      expect(charged).toBeLessThanOrEqual(limits.usdPerHour ?? 0.01)
      expect(passedOver.length).toBeGreaterThan(0)
    },
  )

  it('asks no more where none of the first was answered well', async () => {
    const { asked, model } = many([bad], 12)
    expect(answered((await asked).answers)).toEqual([])
    expect(model.asked).toHaveLength(4)
  })

  it('a half-open breaker lets one call through, and the others after it', async () => {
    expect((await many([bad], 6, { state: halfOpen }).asked).attempts).toHaveLength(1)
    expect(answered((await many([good], 6, { state: halfOpen }).asked).answers)).toHaveLength(6)
  })

  it('does not move the breaker: what it was good for is not known yet', async () => {
    for (const line of [good, bad, away]) {
      expect((await many([line], 6).asked).state.breaker).toEqual(newAskState.breaker)
      expect((await many([line], 6, { state: halfOpen }).asked).state.breaker).toEqual(
        halfOpen.breaker,
      )
    }
  })

  it('ends with its time, and with its signal', async () => {
    const timed = await many(['hangs'], 9, { limits: { timeMs: 5_000 } }).asked
    expect(answered(timed.answers)).toEqual([])
    const stopped = await many([good], 9, { signal: AbortSignal.abort() }).asked
    expect(stopped.attempts).toEqual([])
  })
})
