/** The record of a structured summary, its chain and its conversation, as programs read them. */
import { createThroughline, type PolicyInput, policies } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { fakeClock, scriptedModel } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { testFolder } from '../stores/sqlite-file.ts'
import {
  engineOn,
  exchange,
  honest,
  model,
  placesIn,
  setUp,
  slotText,
  talk,
  talkUntilAsked,
} from '../summaries/set-up.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const policy = 'ratio-chain'
const windowTokens = 2_000

describe('the record of a summary', () => {
  it('S1-033: says in milliseconds when it was made', async () => {
    const clock = fakeClock()
    const up = await setUp({ policy, windowTokens, clock })
    const { next } = await talkUntilAsked(up)
    clock.set(clock.now() + 60_000)
    await talkUntilAsked(up, { from: next })
    const [second, first] = await up.chat.summaries()
    const apart = (second?.createdAt ?? Number.NaN) - (first?.createdAt ?? Number.NaN)
    expect(apart).toBeGreaterThanOrEqual(60_000)
    expect(second?.createdAt).toBeLessThanOrEqual(clock.now())
  })

  it('S1-032 S1-039: has an id of its own, and names the messages that are shown no more', async () => {
    const up = await setUp({ policy, windowTokens })
    const { next } = await talkUntilAsked(up)
    const { context } = await talkUntilAsked(up, { from: next })
    const [second, first] = await up.chat.summaries()
    expect(second?.id).not.toBe(first?.id)
    const covered = await Array.fromAsync(up.chat.messages(second?.covers))
    expect(covered.map(({ seq }) => seq)).toEqual(
      Array.from({ length: placesIn(context)[0] ?? 0 }, (_, at) => at),
    )
    // What it adds, and what its parent had, are all of it.
    expect([first?.added.from, first?.added.to]).toEqual([0, second?.added.from])
    expect(new Set(covered.map(({ id }) => id)).size).toBe(covered.length)
  })

  it('S1-040: has its tokens, as its model counts', async () => {
    const up = await setUp({ policy, windowTokens })
    await talkUntilAsked(up)
    const [record] = await up.chat.summaries()
    const meter = await up.tl.meter('openai/gpt-5-mini')
    const least = meter.text(`${record?.text} ${record?.keyPoints.join(' ')}`)
    expect(record?.tokens).toBeGreaterThanOrEqual(least)
    expect(record?.tokens).toBeLessThan(least * 2 + 20)
  })

  it('leaves out what an answer adds to what was asked for', async () => {
    const answers = (question: Parameters<typeof honest>[0]) =>
      JSON.stringify({ ...JSON.parse(honest(question)), raw: 'unasked', notes: ['unasked'] })
    const up = await setUp({ policy, windowTokens, answers })
    const { context } = await talkUntilAsked(up)
    expect(JSON.stringify(await up.chat.summaries())).not.toContain('unasked')
    expect(slotText(context, 'summary')).not.toContain('unasked')
  })
})

describe('a conversation with summaries', () => {
  it('S1-041: has an id and a title, for whoever opens it', async () => {
    const store = sqlite(folder.file('titled.db'))
    const tl = createThroughline({ store })
    await tl.conversation('c').append([...exchange(0)])
    expect(await tl.conversation('c').info()).toMatchObject({ id: 'c', title: null })
    await tl.conversation('c').update({ title: 'Invoices' })
    await tl.close()
    const later = createThroughline({ store: sqlite(folder.file('titled.db')) })
    expect(await later.conversation('c').info()).toMatchObject({ id: 'c', title: 'Invoices' })
    await later.close()
  })

  it('XC-19: keeps them in its store, and one without any is opened as well', async () => {
    const file = folder.file('chain.db')
    const up = await setUp({ policy, windowTokens, store: sqlite(file) })
    const { next } = await talkUntilAsked(up)
    await talkUntilAsked(up, { from: next })
    await up.tl.conversation('short').append([...exchange(0)])
    const written = await up.chat.summaries()
    const [last] = await up.chat.receipts({ limit: 1 })
    const later = engineOn(up.server, { policy, windowTokens, store: sqlite(file) })
    expect(await later.conversation('c').summaries()).toEqual(written)
    expect(await later.conversation('c').receipts({ limit: 1 })).toEqual([last])
    expect(await later.conversation('short').summaries()).toEqual([])
    expect(written).toHaveLength(2)
    await later.close()
  })
})

describe('a model that writes', () => {
  it('M-003: is injected, and any object that answers is accepted', async () => {
    const writer = scriptedModel(({ messages, schema }) =>
      honest({
        messages: messages.map(({ role, content }) => ({ role, text: content })),
        schema,
      }),
    )
    const up = await setUp({ policy, windowTokens, summarizer: () => writer })
    await talk(up.chat, { from: 0, to: 18 })
    expect(writer.asked).toHaveLength(1)
    expect(up.server.requests).toEqual([])
    expect(await up.chat.summaries()).toMatchObject([{ madeBy: { model: 'scripted/model' } }])
  })

  it.each(['rules', 'no-change', 'throw'] as const)(
    'S1-117: that fails is logged, where %s follows',
    async (onFailure) => {
      const failing: PolicyInput = { ...policies[policy], name: 'failing', advanced: { onFailure } }
      const up = await setUp({ policy: failing, windowTokens, faults: () => 'not-json' })
      await talkUntilAsked(up).catch(() => {})
      const logged = (await up.chat.events()).filter(({ kind }) => kind === 'summary-failed')
      expect(logged).toMatchObject([{ why: 'all-failed', calls: 1, model }])
      expect(up.live.at(-1)?.kind).toBe('summarization-failed')
    },
  )
})
