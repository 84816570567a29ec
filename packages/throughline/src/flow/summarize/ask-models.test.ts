import { describe, expect, it } from 'vitest'
import { newAskState } from '../../domain/model-calls.ts'
import {
  defaultAskLimits,
  fails,
  type Line,
  says,
  scene,
  scriptedModel,
} from './ask-models.test-support.ts'
import { askModels } from './ask-models.ts'

const good = says('good summary')
const away = fails('transport', { status: 503 })

describe('asking models in the order of preference', () => {
  it('S1-022 asks the second only when the first has nothing', async () => {
    const first = scriptedModel('house/first', [good])
    const second = scriptedModel('house/second', [good])
    const { ask } = scene([first, second])
    expect(await askModels(ask)).toMatchObject({
      kind: 'accepted',
      value: 'good summary',
      answer: { model: 'house/answering' },
      attempts: [{ number: 1, model: 'house/first', outcome: { kind: 'accepted' } }],
    })
    expect(second.asked).toHaveLength(0)
  })

  it('S1-075 S1-088 XC-10 retries once on transport after 250 ms, then after 500 ms with the next model', async () => {
    const first = scriptedModel('house/first', [away])
    const second = scriptedModel('house/second', [fails('timeout'), good])
    const { ask, clock } = scene([first, second], { limits: { ...defaultAskLimits, calls: 4 } })
    const startedAt = clock.now()
    const asked = await askModels(ask)
    expect(asked.kind).toBe('accepted')
    expect(
      asked.attempts.map(({ model, tryOfModel, waitedMs }) => [model, tryOfModel, waitedMs]),
    ).toEqual([
      ['house/first', 1, 0],
      ['house/first', 2, 250],
      ['house/second', 1, 0],
      ['house/second', 2, 500],
    ])
    expect(clock.now() - startedAt).toBe(750)
  })

  it('S1-076 S1-089 never retries an answer that was refused, and keeps its beginning without secrets', async () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'
    const model = scriptedModel('house/first', [says(`bad\n${key} ${'word '.repeat(100)}`)])
    const { ask, waits } = scene([model])
    const { attempts, ...asked } = await askModels(ask)
    expect(asked).toMatchObject({ kind: 'given-up', why: 'all-failed' })
    expect(attempts).toHaveLength(1)
    expect(attempts[0]?.outcome).toMatchObject({
      kind: 'refused',
      reasons: ['not good'],
      excerpt: expect.stringMatching(/^bad \[redacted: OpenAI key\] word .{1,170}…$/),
    })
    expect(JSON.stringify(attempts)).not.toContain(key)
    expect(waits).toEqual([defaultAskLimits.timeMs])
  })

  it('quotes no secret of an answer where it says why it was refused', async () => {
    const model = scriptedModel('house/first', [says('Cookie: sessionid=Qx81kfPz77vLm20sWd')])
    const { ask } = scene([model])
    const judge = ({ text }: { readonly text: string }) =>
      ({ kind: 'refused', reasons: [`invented-values: ${text.split('=')[1]}`] }) as const
    const { attempts } = await askModels({ ...ask, judge })
    expect(JSON.stringify(attempts)).not.toContain('Qx81kfPz77vLm20sWd')
    expect(JSON.stringify(attempts)).toContain('invented-values: [redacted: session cookie]')
  })

  it.each([['refused'], ['invalid'], ['aborted']] as const)(
    'does not retry what %s',
    async (cause) => {
      const model = scriptedModel('house/first', [fails(cause)])
      const { ask } = scene([model])
      expect(await askModels(ask)).toMatchObject({ why: 'all-failed' })
      expect(model.asked).toHaveLength(1)
    },
  )

  it('waits as long as a provider asks, and not at all where that is too long', async () => {
    const busy = (retryAfterMs: number) => fails('transport', { status: 429, retryAfterMs })
    const patient = scene([scriptedModel('house/first', [busy(3_000), good])])
    expect((await askModels(patient.ask)).attempts[1]).toMatchObject({ waitedMs: 3_000 })
    const model = scriptedModel('house/first', [busy(600_000), good])
    const other = scriptedModel('house/second', [good])
    expect(await askModels(scene([model, other]).ask)).toMatchObject({
      kind: 'accepted',
      passedOver: [{ model: 'house/first', why: 'wait-too-long' }],
    })
    expect(model.asked).toHaveLength(1)
  })

  it('passes over a model that the request does not fit', async () => {
    const [small, large] = [
      scriptedModel('house/small', [good]),
      scriptedModel('house/large', [good]),
    ]
    const { ask } = scene([small, large])
    const { requestFor } = ask
    const asked = await askModels({
      ...ask,
      requestFor: (model, again) => (model === small ? null : requestFor(model, again)),
    })
    expect(asked).toMatchObject({
      kind: 'accepted',
      passedOver: [{ model: 'house/small', why: 'does-not-fit' }],
    })
    expect(small.asked).toHaveLength(0)
  })

  it('asks a model that is listed twice a different question, unless it is unavailable', async () => {
    const picky = scriptedModel('house/picky', [says('bad'), good])
    const calling = scriptedModel('house/calling', [fails('invalid'), good])
    const gone = scriptedModel('house/gone', [fails('refused'), good])
    for (const [model, calls] of [[picky, 2] as const, [calling, 2] as const, [gone, 1] as const]) {
      const { ask } = scene([model, model])
      expect((await askModels(ask)).attempts).toHaveLength(calls)
    }
  })

  it('takes a socket that throws for a failure', async () => {
    const { ask } = scene([scriptedModel('house/first', ['throws']), scriptedModel('b', [good])])
    expect(await askModels(ask)).toMatchObject({
      kind: 'accepted',
      attempts: [{ outcome: { cause: 'invalid', message: 'the socket is broken' } }, {}],
    })
  })
})

describe('the limits of asking', () => {
  const failing = ['a', 'b', 'c', 'd'].map((id) => scriptedModel(id, [away]))

  it('XC-17 makes three calls by default', async () => {
    const { ask } = scene(failing)
    expect(await askModels(ask)).toMatchObject({
      why: 'calls',
      attempts: [{ model: 'a' }, { model: 'a' }, { model: 'b' }],
    })
  })

  it('ends in time even if a model hangs and ignores the signal', async () => {
    const { ask, clock } = scene([scriptedModel('a', ['hangs']), scriptedModel('b', [good])])
    const startedAt = clock.now()
    expect(await askModels(ask)).toMatchObject({
      why: 'time',
      attempts: [{ durationMs: 120_000, outcome: { kind: 'failed', cause: 'timeout' } }],
    })
    expect(clock.now() - startedAt).toBe(120_000)
  })

  it('does not wait for a retry that would come too late', async () => {
    const limits = { ...defaultAskLimits, timeMs: 200 }
    const { ask } = scene([scriptedModel('a', [away]), scriptedModel('b', [good])], { limits })
    expect(await askModels(ask)).toMatchObject({
      kind: 'accepted',
      passedOver: [{ model: 'a', why: 'wait-too-long' }],
    })
  })

  it('ends at once when the caller aborts, without counting a failure', async () => {
    const controller = new AbortController()
    const abort: Line = () => {
      controller.abort()
      return away
    }
    const { ask } = scene([scriptedModel('a', [abort]), scriptedModel('b', [good])], {
      signal: controller.signal,
    })
    expect(await askModels(ask)).toMatchObject({
      why: 'aborted',
      attempts: [{ outcome: { cause: 'aborted' } }],
      state: { breaker: newAskState.breaker },
    })
  })

  it('ends an attempt that the listener aborts as it starts', async () => {
    const controller = new AbortController()
    const { ask } = scene([scriptedModel('a', ['hangs'])], {
      signal: controller.signal,
      reportEvent: () => controller.abort(),
    })
    expect(await askModels(ask)).toMatchObject({
      why: 'aborted',
      attempts: [{ durationMs: 0, outcome: { cause: 'aborted' } }],
    })
  })

  it('asks only what the money suffices for at the worst', async () => {
    const dear = scriptedModel('dear', [good], { inputUsd: 100, outputUsd: 100 })
    const cheap = scriptedModel('cheap', [good], { inputUsd: 1, outputUsd: 10 })
    const unknown = scriptedModel('unknown', [good])
    const limits = { ...defaultAskLimits, usd: 0.01 }
    expect(await askModels(scene([dear, unknown, cheap], { limits }).ask)).toMatchObject({
      kind: 'accepted',
      passedOver: [
        { model: 'dear', why: 'money' },
        { model: 'unknown', why: 'price-unknown' },
      ],
      attempts: [{ model: 'cheap', costUsd: 0.002, chargedUsd: 0.002 }],
    })
  })

  it('counts what it cannot know at the worst, and errors of a provider at nothing', async () => {
    const prices = { inputUsd: 1, outputUsd: 10 }
    const lost = fails('transport')
    const model = scriptedModel('a', [away, lost], prices)
    const { attempts, state } = await askModels(scene([model]).ask)
    expect(attempts.map(({ costUsd, chargedUsd }) => [costUsd, chargedUsd])).toEqual([
      [null, 0],
      [null, 0.006],
    ])
    expect(state.spent.map(({ usd }) => usd)).toEqual([0, 0.006])
  })

  it('has limits for an hour, which pass with it', async () => {
    const limits = { ...defaultAskLimits, callsPerHour: 2, usdPerHour: 0.01 }
    const model = scriptedModel('a', [good], { inputUsd: 1, outputUsd: 10 })
    const now = 1_000_000
    const spent = [{ at: now - 3_000_000, usd: 0.008 }]
    const full = scene([model], { limits, state: { ...newAskState, spent } })
    expect(await askModels(full.ask)).toMatchObject({
      why: 'no-model',
      passedOver: [{ why: 'money-per-hour' }],
    })
    const twice = { ...newAskState, spent: [...spent, ...spent] }
    const calls = scene([model], { limits, state: twice })
    expect(await askModels(calls.ask)).toMatchObject({ why: 'calls-per-hour' })
    calls.clock.set(now + 700_000)
    const later = await askModels(calls.ask)
    expect(later).toMatchObject({ kind: 'accepted', state: { spent: [{ usd: 0.002 }] } })
    expect(model.asked).toHaveLength(1)
  })
})

describe('the breaker', () => {
  it('opens after two tries without effect, lets one call through later, and opens for longer', async () => {
    const model = scriptedModel('a', [fails('refused')])
    const { ask, clock } = scene([model])
    let { state } = await askModels(ask)
    state = (await askModels({ ...ask, state })).state
    expect(model.asked).toHaveLength(2)
    expect(await askModels({ ...ask, state })).toMatchObject({ why: 'breaker-open', attempts: [] })
    clock.set(clock.now() + 5 * 60_000)
    state = JSON.parse(JSON.stringify((await askModels({ ...ask, state })).state))
    expect(model.asked).toHaveLength(3)
    clock.set(clock.now() + 5 * 60_000)
    expect(await askModels({ ...ask, state })).toMatchObject({ why: 'breaker-open' })
    clock.set(clock.now() + 5 * 60_000)
    const works = { ...ask, models: [scriptedModel('b', [good])] }
    expect(await askModels({ ...works, state })).toMatchObject({
      kind: 'accepted',
      state: { breaker: newAskState.breaker },
    })
  })

  it('lets a single call through when it is half open, also where a retry would be due', async () => {
    const model = scriptedModel('a', [away])
    const breaker = { ineffective: 2, openings: 1, openedAt: 0 }
    const { ask } = scene([model], { state: { ...newAskState, breaker } })
    expect(await askModels(ask)).toMatchObject({ why: 'calls', attempts: [{}] })
    expect(model.asked).toHaveLength(1)
  })

  it('is not kept open by a clock that was set back', async () => {
    const breaker = { ineffective: 2, openings: 9, openedAt: 9_000_000 }
    const { ask } = scene([scriptedModel('a', [good])], { state: { ...newAskState, breaker } })
    expect(await askModels(ask)).toMatchObject({ kind: 'accepted' })
  })

  it('stays as it is if no model was asked', async () => {
    const { ask } = scene([])
    expect(await askModels(ask)).toMatchObject({ why: 'no-model', state: newAskState })
  })
})

describe('the account of attempts', () => {
  it('ends every attempt that it starts, whatever the models do', async () => {
    const lines: readonly Line[] = [
      good,
      says(''),
      'hangs',
      'throws',
      away,
      fails('invalid'),
      fails('timeout'),
    ]
    for (const first of lines)
      for (const second of lines)
        for (const third of lines) {
          const models = [scriptedModel('a', [first, second]), scriptedModel('b', [third])]
          const { ask, events, waiting } = scene(models)
          const { attempts } = await askModels(ask)
          const started = events.flatMap((event) =>
            event.kind === 'model-attempt-started' ? [event.number] : [],
          )
          const ended = events.flatMap((event) =>
            event.kind === 'model-attempt-ended' ? [event.attempt] : [],
          )
          expect(started).toEqual(ended.map(({ number }) => number))
          expect(ended).toEqual(attempts)
          expect(attempts.length).toBeLessThanOrEqual(3)
          expect(waiting.size).toBe(0)
        }
  })

  it('ends an attempt whose judge breaks, and lets the caller know', async () => {
    const { ask, events } = scene([scriptedModel('a', [good])], {
      judge: () => {
        throw new Error('a bug of ours')
      },
    })
    await expect(askModels(ask)).rejects.toThrow('a bug of ours')
    expect(events.map(({ kind }) => kind)).toEqual(['model-attempt-started', 'model-attempt-ended'])
  })

  it('is plain JSON', async () => {
    const { ask } = scene([scriptedModel('a', [away]), scriptedModel('b', [good])])
    const { attempts, passedOver, state } = await askModels(ask)
    const account = { attempts, passedOver, state }
    expect(JSON.parse(JSON.stringify(account))).toEqual(account)
  })
})
