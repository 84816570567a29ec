import { type AskLimits, type PolicyInput, policies } from 'throughline'
import { fakeClock } from 'throughline/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFaultServer } from '../../../../harness/fault-server.ts'
import { talkSlowly } from './background-summaries.ts'
import {
  askedIn,
  engineOn,
  exchange,
  giant,
  honest,
  model,
  narrowModel,
  openaiModel,
  prices,
  setUp,
  slotText,
  talk,
  talkUntilAsked,
} from './set-up.ts'

const hourMs = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

function limited(limits: Partial<AskLimits>): PolicyInput {
  return { ...policies['ratio-chain'], name: 'limited', limits, advanced: { onFailure: 'rules' } }
}

const unpriced = (url: string) => ({ ...openaiModel(url), prices: null })

/** Returns the account of calls of the first compaction. */
async function firstTry(options: Parameters<typeof setUp>[0]) {
  const up = await setUp(options)
  await talk(up.chat, { from: 0, to: 18 })
  const [receipt] = await up.chat.receipts({ limit: 1 })
  return { ...up, tried: receipt?.summarization }
}

describe('limits of one compaction', () => {
  it('no calls: no model is asked', async () => {
    const { server, tried } = await firstTry({ policy: limited({ calls: 0 }) })
    expect(server.requests).toEqual([])
    expect(tried).toMatchObject({ why: 'calls', attempts: [], summaryId: null })
  })

  it('money: one limit for all requests of a compaction', async () => {
    const usd = 0.009
    const up = await setUp({
      policy: limited({ usd }),
      windowTokens: 4_000,
      summarizer: (url) => narrowModel(url, 8_000),
    })
    await talk(up.chat, { from: 0, to: 1, turn: giant(12_000) })
    await talkUntilAsked(up, { from: 1 })
    const [receipt] = await up.chat.receipts({ limit: 1 })
    const { attempts = [], passedOver = [] } = receipt?.summarization ?? {}
    expect(new Set(passedOver.map(({ why }) => why))).toEqual(new Set(['money']))
    expect(attempts.length).toBeGreaterThan(0)
    const charged = attempts.reduce((sum, { chargedUsd }) => sum + chargedUsd, 0)
    expect(charged).toBeLessThanOrEqual(usd)
  })

  it('one call: no second try after a failure', async () => {
    const policy = limited({ calls: 1 })
    const { server, tried } = await firstTry({ policy, faults: () => 'server-error' })
    expect(server.requests).toHaveLength(1)
    expect(tried).toMatchObject({ why: 'calls', attempts: [{ outcome: { status: 500 } }] })
  })

  it('three calls: one limit for all models', async () => {
    const { server, tried } = await firstTry({
      policy: limited({ calls: 3 }),
      faults: () => 'unavailable',
      summarizer: (url) =>
        ['gpt-5-nano', 'gpt-5-mini', 'gpt-5'].map((name) => openaiModel(url, name)),
    })
    expect(server.requests.map(({ question }) => question?.model)).toEqual([
      'gpt-5-nano',
      'gpt-5-nano',
      'gpt-5-mini',
    ])
    expect(tried?.why).toBe('calls')
  })

  it('time: a call that hangs is aborted at the limit', async () => {
    const timeMs = 60_000
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pass = () => vi.advanceTimersByTime(timeMs)
    const faults = () => {
      setImmediate(pass)
      return 'hang' as const
    }
    const { server, tried } = await firstTry({ policy: limited({ timeMs }), faults })
    vi.useRealTimers()
    expect(tried).toMatchObject({ why: 'time', attempts: [{ outcome: { cause: 'timeout' } }] })
    await expect.poll(() => server.requests.map(({ ended }) => ended)).toEqual(['left'])
  })

  it('patience: a model that asks for a longer pause is not asked again', async () => {
    const { server, tried } = await firstTry({
      policy: limited({}),
      faults: () => 'rate-limit',
      pace: { retryAfterMs: 15_000 },
    })
    expect(server.requests).toHaveLength(1)
    expect(tried).toMatchObject({ passedOver: [{ why: 'wait-too-long' }] })
  })

  it('money: a model without prices is not asked', async () => {
    const policy = limited({ usd: 1 })
    const { server, tried } = await firstTry({ policy, summarizer: unpriced })
    expect(server.requests).toEqual([])
    expect(tried).toMatchObject({ why: 'no-model', passedOver: [{ why: 'price-unknown' }] })
  })

  it('money: a model is asked only if its highest cost fits, and the cost is reported', async () => {
    const poor = await firstTry({ policy: limited({ usd: 0.000_1 }) })
    expect(poor.server.requests).toEqual([])
    expect(poor.tried).toMatchObject({ passedOver: [{ why: 'money' }] })
    const rich = await firstTry({ policy: limited({ usd: 0.01 }) })
    expect(rich.server.requests).toHaveLength(1)
    const { inputTokens, outputTokens } = { ...rich.tried?.attempts[0]?.usage }
    const paid = Number(inputTokens) * prices.inputUsd + Number(outputTokens) * prices.outputUsd
    expect(rich.tried?.costUsd).toBeCloseTo(paid / 1_000_000, 9)
  })

  it('money: without a limit prices are not needed, and no cost is reported', async () => {
    const { tried } = await firstTry({ policy: limited({}), summarizer: unpriced })
    expect(tried).toMatchObject({ summaryId: expect.any(String), costUsd: null })
  })
})

describe('limits of an hour', () => {
  it('calls: none are left after the limit, until the next hour', async () => {
    const clock = fakeClock()
    const up = await setUp({ policy: limited({ callsPerHour: 1 }), clock })
    const { next } = await talkUntilAsked(up)
    await talk(up.chat, { from: next, to: next + 14 })
    expect(up.server.requests).toHaveLength(1)
    expect(up.live.at(-1)).toMatchObject({ summarization: { why: 'calls-per-hour' } })
    clock.set(clock.now() + hourMs)
    await talkUntilAsked(up, { from: next + 14 })
    // The model now summarizes the messages that rules described meanwhile.
    expect(await up.chat.summaries()).toMatchObject([
      { parentId: expect.any(String), added: { from: 26 } },
      { parentId: null },
    ])
  })

  it('money: the highest cost is checked before a call, the real cost counted after it', async () => {
    const clock = fakeClock()
    const up = await setUp({ policy: limited({ usdPerHour: 0.006 }), clock })
    const isOver = () => {
      const event = up.live.at(-1)
      return event?.kind === 'summarization-failed' && event.summarization.passedOver[0]?.why
    }
    let next = 0
    for (; !isOver(); next += 1) await talk(up.chat, { from: next, to: next + 1 })
    expect(isOver()).toBe('money-per-hour')
    const costs = (await up.chat.receipts()).map(({ summarization }) => summarization?.costUsd ?? 0)
    const spentUsd = costs.reduce((sum, cost) => sum + cost, 0)
    expect(up.server.requests).toHaveLength(2)
    expect(spentUsd).toBeGreaterThan(0.002)
    expect(spentUsd).toBeLessThanOrEqual(0.006)
    clock.set(clock.now() + hourMs)
    await talkUntilAsked(up, { from: next })
    expect(await up.chat.summaries()).toHaveLength(3)
  })
})

describe('the breaker', () => {
  it('is named by receipts of compactions that asked no model, also in the background', async () => {
    const policy = { ...policies.balanced, name: 'background' }
    // In a smaller window, the summary would be too short to ask a model for it.
    const windowTokens = 4_000
    const up = await setUp({ policy, windowTokens, faults: () => 'refusal', clock: fakeClock() })
    await talkSlowly(up, { from: 0, to: 120 })
    const receipts = await up.chat.receipts({ limit: 50 })
    const compactions = receipts.filter(({ cause }) => cause === 'trigger' || cause === 'overflow')
    expect(compactions.length).toBeGreaterThan(3)
    expect(compactions[0]?.summarization).toMatchObject({
      why: 'breaker-open',
      attempts: [],
      summaryId: null,
      costUsd: 0,
    })
    const asked = up.server.requests.length
    expect(asked).toBeGreaterThan(0)
    await talkSlowly(up, { from: 120, to: 140 })
    expect(up.server.requests).toHaveLength(asked)
  })

  it('XC-9: opens after two failures, lets rules write at once, and allows a call later', async () => {
    const clock = fakeClock()
    const up = await setUp({ policy: limited({}), faults: () => 'refusal', clock })
    await talk(up.chat, { from: 0, to: 60 })
    expect(up.server.requests).toHaveLength(2)
    expect(up.live.at(-1)).toMatchObject({ summarization: { why: 'breaker-open', attempts: [] } })
    up.server.arm(null)
    clock.set(clock.now() + 5 * 60_000)
    await talkUntilAsked(up, { from: 60 })
    expect(await up.chat.summaries()).toMatchObject([{ added: { from: 0 } }])
  })
})

describe('the summarizers of a policy', () => {
  const two = (url: string) => [openaiModel(url, 'gpt-5-nano'), openaiModel(url, 'gpt-5')]

  it('S1-102: ask the models that they name, in their order', async () => {
    const { server } = await firstTry({
      policy: {
        ...policies['ratio-chain'],
        name: 'named',
        summarizers: [{ style: 'structured', models: ['openai/gpt-5', 'openai/gpt-5-nano'] }],
      },
      faults: ['refusal'],
      summarizer: two,
    })
    expect(server.requests.map(({ question }) => question?.model)).toEqual(['gpt-5', 'gpt-5-nano'])
  })

  it('S1-102: that name a model which was not passed are refused at once', async () => {
    const server = await createFaultServer()
    const policy = {
      name: 'wrong',
      summarizers: [{ style: 'running', models: ['openai/gpt-6'] }],
    } as const
    expect(() => engineOn(server, { policy, windowTokens: 2_000, summarizer: two })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(/gpt-6.*openai\/gpt-5-nano, openai\/gpt-5/),
      }),
    )
    await server.close()
  })

  it('are tried in order, under one limit', async () => {
    const { server, tried, chat } = await firstTry({
      policy: {
        ...policies['ratio-chain'],
        name: 'both',
        summarizers: [{ style: 'structured' }, { style: 'running' }],
      },
      answers: (question) => (question.schema === null ? honest(question) : 'No.'),
    })
    expect(server.requests.map(({ question }) => question?.schema === null)).toEqual([false, true])
    expect(tried).toMatchObject({ style: 'running', attempts: [{ number: 1 }, { number: 2 }] })
    expect(slotText(await chat.context({ model }), 'summary')).toContain('## Earlier in this')
  })

  it('invariant 11: ask a model with an unknown window for no more than the smallest window takes', async () => {
    const up = await setUp({
      policy: limited({}),
      windowTokens: 12_000,
      summarizer: (url) => openaiModel(url, 'home-made'),
    })
    await talk(up.chat, { from: 0, to: 1 })
    await up.chat.append(Array.from({ length: 92 }, (_, at) => exchange(1 + at)).flat())
    await talkUntilAsked(up, { from: 93 })
    expect(up.server.requests.length).toBeGreaterThan(1)
    const meter = await up.tl.meter('openai/gpt-5-mini')
    for (const request of up.server.requests) {
      const { system, content } = askedIn(request)
      const most = request.question?.maxOutputTokens ?? Number.NaN
      expect(meter.text(system) + meter.text(content) + most).toBeLessThanOrEqual(8_192)
    }
  })
})
