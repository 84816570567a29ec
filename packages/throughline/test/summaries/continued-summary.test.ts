import { type PolicyInput, policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import {
  blockIn,
  exchange,
  giant,
  model,
  narrowModel,
  otherModel,
  placesIn,
  setUp,
  slotText,
  talk,
  talkUntilAsked,
} from './set-up.ts'

const policy = 'ratio-chain'
/** The preset without chunks, and with few calls. */
const inSteps: PolicyInput = {
  ...policies[policy],
  name: 'steps',
  summarizers: [{ style: 'structured' }],
  limits: { calls: 3 },
}

describe('a summary that continues another', () => {
  it('S1-104: a fork starts with the summary of its source, and asks no model', async () => {
    const up = await setUp({ policy })
    const { next } = await talkUntilAsked(up)
    const [record] = await up.chat.summaries()
    await talk(up.chat, { from: next, to: next + 3 })
    const forked = await up.chat.history.fork(next * 2 + 4, 'fork')
    if (!forked.ok) throw new Error('there is a fork')
    await forked.value.append(exchange(50)[0])
    const context = await forked.value.context({ model })
    expect(slotText(context, 'summary')).toContain(record?.text)
    expect(placesIn(context)[0]).toBe(record?.covers.to)
    expect(up.server.requests).toHaveLength(1)
    await talkUntilAsked({ ...up, chat: forked.value }, { from: next + 2 })
    expect(await forked.value.summaries()).toMatchObject([{ parentId: record?.id, depth: 1 }])
    expect(await up.chat.summaries()).toHaveLength(1)
  })

  it('S1-104: a fork from a point before the summary writes its own', async () => {
    const up = await setUp({ policy })
    const { next } = await talkUntilAsked(up)
    const forked = await up.chat.history.fork(10, 'fork')
    if (!forked.ok) throw new Error('there is a fork')
    await talkUntilAsked({ ...up, chat: forked.value }, { from: next })
    expect(await forked.value.summaries()).toMatchObject([{ parentId: null, depth: 0 }])
  })

  it('S1-104: another model of the same chat sees the existing summary', async () => {
    const up = await setUp({ policy })
    const { next } = await talkUntilAsked(up)
    const [record] = await up.chat.summaries()
    await talk(up.chat, { from: next, to: next + 4 })
    const context = await up.chat.context({ model: otherModel })
    expect(slotText(context, 'summary')).toContain(record?.text)
    expect(up.server.requests).toHaveLength(1)
  })

  it('S1-101 X1-8 XC-17: asks at most three times for a long slice, and continues there the next time', async () => {
    const up = await setUp({
      policy: inSteps,
      windowTokens: 8_000,
      summarizer: (url) => narrowModel(url, 5_600),
    })
    const first = await talkUntilAsked(up)
    expect(up.server.requests).toHaveLength(3)
    const [record] = await up.chat.summaries()
    const [line = 0] = placesIn(first.context)
    const coveredTo = record?.covers.to ?? 0
    expect(coveredTo).toBeGreaterThan(0)
    expect(coveredTo).toBeLessThan(line)
    expect((await up.chat.receipts({ limit: 1 }))[0]?.summarization).toMatchObject({
      asked: { from: 0, to: line },
      coveredTo,
      why: 'calls',
    })
    // Rules describe the rest, after the model's summary.
    const shown = slotText(first.context, 'summary')
    expect(shown).toContain(record?.text)
    expect(shown.slice(shown.indexOf(record?.text ?? '?'))).toMatch(/#\d+/)
    await talkUntilAsked(up, { from: first.next })
    const again = blockIn(up.server.requests[3], 'transcript')
    expect(again).toContain(`look at module-${coveredTo / 2}.ts`)
    expect(again).not.toContain(`look at module-${coveredTo / 2 - 1}.ts`)
  })

  it('S1-097: a message that is too long for three requests is not requested again', async () => {
    const up = await setUp({
      policy: inSteps,
      windowTokens: 4_000,
      summarizer: (url) => narrowModel(url, 8_000),
    })
    await talk(up.chat, { from: 0, to: 1, turn: giant(50_000) })
    const { next } = await talkUntilAsked(up, { from: 1 })
    expect(await up.chat.summaries()).toMatchObject([
      { covers: { from: 0, to: 1 }, degraded: true },
    ])
    await talkUntilAsked(up, { from: next })
    const [record] = await up.chat.summaries()
    expect(record?.added.from).toBe(1)
    expect(record?.added.to).toBeGreaterThan(2)
    const asked = up.server.requests.filter((request) => blockIn(request, 'transcript') !== '')
    expect(asked.length).toBeGreaterThan(3)
    expect(blockIn(asked[3], 'transcript')).not.toContain('(part 1 of')
  })

  it('S1-097: the finished parts of a message are dropped after a failure', async () => {
    let asked = 0
    const up = await setUp({
      policy: inSteps,
      windowTokens: 4_000,
      // All but the first request for a summary; the requests for the long message alone succeed.
      faults: ({ messages }) => {
        const isSummary = messages.some(({ text }) => text.includes('[transcript ·'))
        if (isSummary) asked += 1
        return isSummary && asked >= 2 ? 'refusal' : null
      },
      summarizer: (url) => narrowModel(url, 8_000),
    })
    await talk(up.chat, { from: 0, to: 1, turn: giant(50_000) })
    await talkUntilAsked(up, { from: 1 })
    expect(await up.chat.summaries()).toEqual([])
    expect(up.live.at(-1)).toMatchObject({
      kind: 'summarization-failed',
      summarization: { why: 'all-failed', summaryId: null },
    })
  })
})
