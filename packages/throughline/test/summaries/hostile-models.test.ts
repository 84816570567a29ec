/** Models, queues and listeners that break their contracts. */
import {
  createThroughline,
  type LanguageModel,
  type LiveEvent,
  type PolicyInput,
  type Queue,
} from 'throughline'
import { describe, expect, it } from 'vitest'

const policy: PolicyInput = { name: 'mine', summarizers: [{ style: 'running' }] }

function modelOf(answer: () => unknown, more: object = {}) {
  const model = {
    id: 'some/model',
    card: { id: 'model', contextWindowTokens: 32_000 },
    calls: 0,
    generate: async () => {
      model.calls += 1
      return answer()
    },
    ...more,
  }
  return model
}

const asModel = (model: object) => model as unknown as LanguageModel

async function play(
  options: object,
  windowTokens = 4_000,
  listeners: readonly ((event: LiveEvent) => void)[] = [],
) {
  const tl = createThroughline({
    models: [{ id: 'm', contextWindowTokens: windowTokens }],
    policy,
    ...options,
  })
  for (const listener of listeners) tl.on(listener)
  const live: string[] = []
  tl.on(({ kind }) => live.push(kind))
  const chat = tl.conversation('c')
  const reasons: string[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    await chat.append({ role: 'user', content: `Question ${turn}. ${'And so on. '.repeat(20)}` })
    reasons.push((await chat.context({ model: 'm' })).decision.reason)
    await chat.append({ role: 'assistant', content: `Answer ${turn}.` })
    await tl.settled()
  }
  const [receipts, summaries] = [await chat.receipts(), await chat.summaries()]
  await tl.close()
  return { reasons, live, receipts, summaries }
}

describe('a model of another shape', () => {
  it.each([
    ['nothing', undefined],
    ['a failure without one', { kind: 'failed' }],
    [
      'a text that is none',
      { kind: 'answered', text: 42, finish: 'stop', usage: null, model: 'x' },
    ],
    ['another kind', { kind: 'nope' }],
    [
      'something that throws',
      {
        get kind() {
          throw new Error('no')
        },
      },
    ],
    ['a failure of no cause', { kind: 'failed', failure: { cause: 7, message: Symbol('x') } }],
  ])('INV-14: fails no turn, counts as a failure and opens the breaker: %s', async (_, answer) => {
    const model = modelOf(() => answer)
    const { live, receipts } = await play({ summarizer: asModel(model) })
    expect(receipts.length).toBeGreaterThan(0)
    const count = (kind: string) => live.filter((each) => each === kind).length
    expect(count('model-attempt-started')).toBe(model.calls)
    expect(count('model-attempt-ended')).toBe(model.calls)
    expect(model.calls).toBeLessThanOrEqual(6)
    expect(count('summarization-failed')).toBeGreaterThan(0)
  })

  it.each([
    ['prices without output', { prices: { inputUsd: 1 } }],
    ['prices that are no numbers', { prices: { inputUsd: Number.NaN, outputUsd: 1 } }],
    ['a window that is none', { card: { id: 'x', contextWindowTokens: 0 } }],
    ['no name', { id: '' }],
  ])('is refused if it has %s', (_, more) => {
    const model = asModel(modelOf(() => null, more))
    expect(() => createThroughline({ summarizer: model })).toThrow('option "summarizer"')
  })
})

it('a queue that refuses jobs loses no message and fails no turn', async () => {
  const queue: Queue = {
    start: () => {},
    add: () => {
      throw new Error('away')
    },
    settled: async () => {},
    close: async () => {},
  }
  const model = modelOf(() => ({ kind: 'failed' }))
  await expect(play({ summarizer: asModel(model), queue })).resolves.toBeDefined()
})

const text = 'The user asked one question after the other, and each was answered in a word.'
const answer = { kind: 'answered', text, finish: 'stop', usage: null, model: 'some/model' }

it('a listener that throws, now or later, or mutates its events, changes nothing', async () => {
  const options = () => ({ summarizer: asModel(modelOf(() => answer)) })
  const undisturbed = await play(options())
  const disturbed = await play(options(), 4_000, [
    () => {
      throw new Error('now')
    },
    async () => {
      throw new Error('later')
    },
    (event) => {
      if (event.kind === 'summarization-started') Object.assign(event.asked, { to: 1 })
      if ('summarization' in event) Object.assign(event.summarization, { attempts: [] })
    },
  ])
  const seen = (played: Awaited<ReturnType<typeof play>>) =>
    played.summaries.map(({ covers, account }) => [covers.to, account.attempts.length])
  expect(seen(undisturbed).length).toBeGreaterThan(0)
  expect(seen(disturbed)).toEqual(seen(undisturbed))
})

it('a compaction does not wait forever for a summary that no model can write', async () => {
  const triggers = [{ kind: 'messages', since: 10 }]
  const waits = await play(
    { summarizer: asModel(modelOf(() => answer)), policy: { ...policy, triggers } },
    200_000,
  )
  const pending = waits.reasons.filter((reason) => reason === 'summary-pending').length
  expect(pending).toBeLessThan(12)
  expect(waits.reasons).toContain('messages')
})

it('a purged conversation is no longer sent to a model', async () => {
  let isStopped = false
  const started = Promise.withResolvers<void>()
  const model = {
    ...modelOf(() => null),
    generate: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((resolve) => {
        started.resolve()
        signal.addEventListener('abort', () => {
          isStopped = true
          resolve(null)
        })
      }),
  }
  const tl = createThroughline({
    models: [{ id: 'm', contextWindowTokens: 4_000 }],
    policy,
    summarizer: asModel(model),
  })
  const chat = tl.conversation('c')
  const talk = async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      await chat.append({ role: 'user', content: `Question ${turn}. ${'So. '.repeat(60)}` })
      const { decision } = await chat.context({ model: 'm' })
      if (decision.reason === 'summary-pending') return
      await chat.append({ role: 'assistant', content: 'Well.' })
    }
  }
  await talk()
  await started.promise
  await chat.history.purge()
  await tl.settled()
  expect(isStopped).toBe(true)
  expect(await chat.info()).toBeNull()
  await tl.close()
})
