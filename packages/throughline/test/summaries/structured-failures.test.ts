import { type PolicyInput, policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import type { ModelFault } from '../../../../harness/fault-server.ts'
import {
  exchange,
  honest,
  model,
  openaiModel,
  placesIn,
  setUp,
  talk,
  talkUntilAsked,
} from './set-up.ts'

const policy = 'ratio-chain'

describe('a failed request for a structured summary', () => {
  it.each([
    ['server-error', 'transport', 2],
    ['unavailable', 'transport', 2],
    ['reset', 'transport', 2],
    ['truncated-stream', 'transport', 2],
    ['wrong-schema', null, 1],
    ['not-json', null, 1],
    ['refusal', null, 1],
  ] satisfies readonly (readonly [ModelFault, string | null, number])[])(
    'S1-053 S1-074 S1-075 S1-088: %s is reported as %s after %i calls',
    async (fault, cause, calls) => {
      const up = await setUp({ policy, faults: () => fault })
      await talkUntilAsked(up)
      const outcome = cause === null ? { kind: 'refused' } : { kind: 'failed', cause }
      const expected = Array.from({ length: calls }, (_, at) => ({ tryOfModel: at + 1, outcome }))
      expect(up.live.at(-1)).toMatchObject({ summarization: { attempts: expected } })
      expect(up.server.requests).toHaveLength(calls)
    },
  )

  it('S1-075: is retried after 250 ms, and with the second model after twice as long', async () => {
    const up = await setUp({
      policy: { ...policies[policy], name: 'waits', limits: { calls: 4 } },
      faults: ['server-error', 'server-error', 'server-error', null],
      summarizer: (url) => [openaiModel(url, 'gpt-5-nano'), openaiModel(url)],
    })
    await talkUntilAsked(up)
    const at = up.server.requests.map(({ startedAtMs }) => startedAtMs)
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(248)
    expect((at[3] ?? 0) - (at[2] ?? 0)).toBeGreaterThanOrEqual(498)
    expect(await up.chat.summaries()).toHaveLength(1)
  })

  it('S1-075 XC-10: is retried after the time in Retry-After', async () => {
    const faults: readonly ModelFault[] = ['rate-limit-ms']
    const up = await setUp({ policy, faults, pace: { retryAfterMs: 600 } })
    await talkUntilAsked(up)
    const [one, two] = up.server.requests.map(({ startedAtMs }) => startedAtMs)
    expect((two ?? 0) - (one ?? 0)).toBeGreaterThanOrEqual(598)
    expect(await up.chat.summaries()).toHaveLength(1)
  })

  it('S1-024 S1-057 S1-077 S1-095: leaves the messages unchanged, and is reported in an event', async () => {
    const up = await setUp({ policy, faults: () => 'server-error' })
    const { context, next } = await talkUntilAsked(up)
    expect(placesIn(context)).toEqual(Array.from({ length: next * 2 - 1 }, (_, at) => at))
    const events = await up.chat.events()
    expect(events.filter(({ kind }) => kind === 'summary-failed')).toMatchObject([
      { why: 'all-failed', calls: 2, reason: 'tokenRatio', ratio: context.decision.figures.ratio },
    ])
    expect(events.some(({ kind }) => kind === 'compaction-finished')).toBe(false)
    const messages = await Array.fromAsync(up.chat.messages())
    expect(messages.map(({ parts }) => parts)).toEqual(
      Array.from({ length: next }, (_, at) => exchange(at))
        .flat()
        .map(({ content }) => [{ type: 'text', text: content, metadata: null }]),
    )
  })

  it('S1-095: makes rules write once the messages no longer fit, and loses no message', async () => {
    const up = await setUp({ policy, faults: ['refusal', 'refusal'] })
    await talkUntilAsked(up)
    const [context] = (await talk(up.chat, { from: 17, to: 24 })).filter(
      (each) => (placesIn(each)[0] ?? 0) > 0,
    )
    expect(context?.tokens).toBeLessThanOrEqual(context?.available ?? 0)
    expect(await up.chat.summaries()).toEqual([])
    expect((await up.chat.info())?.head).toBe(48)
  })

  it('S1-024 S1-046 S1-057: throws only if the policy says so, and keeps the account of calls', async () => {
    const throwing: PolicyInput = {
      ...policies[policy],
      name: 'throws',
      advanced: { onFailure: 'throw' },
    }
    const up = await setUp({ policy: throwing, faults: () => 'not-json' })
    await expect(talkUntilAsked(up)).rejects.toMatchObject({
      code: 'SUMMARY_FAILED',
      details: { why: 'all-failed', calls: 1 },
    })
    expect(await up.chat.events()).toContainEqual(
      expect.objectContaining({ kind: 'summary-failed', calls: 1 }),
    )
  })

  it('S1-102 S1-101: does not occur if the lighter model, asked first, succeeds', async () => {
    const up = await setUp({
      policy,
      summarizer: (url) => [openaiModel(url, 'gpt-5-nano'), openaiModel(url, 'gpt-5')],
    })
    await talkUntilAsked(up)
    expect(up.server.requests.map(({ question }) => question?.model)).toEqual(['gpt-5-nano'])
    expect(await up.chat.summaries()).toMatchObject([{ madeBy: { model: 'openai/gpt-5-nano' } }])
  })

  it('S1-102: makes the next model write if the first has refused', async () => {
    const up = await setUp({
      policy,
      answers: (question) => (question.model === 'gpt-5-nano' ? 'No.' : honest(question)),
      summarizer: (url) => [openaiModel(url, 'gpt-5-nano'), openaiModel(url, 'gpt-5')],
    })
    await talkUntilAsked(up)
    expect(up.server.requests.map(({ question }) => question?.model)).toEqual([
      'gpt-5-nano',
      'gpt-5',
    ])
    expect(await up.chat.summaries()).toMatchObject([{ madeBy: { model: 'openai/gpt-5' } }])
    expect(await up.chat.context({ model })).toMatchObject({ decision: { kind: 'continue' } })
  })
})
