import { describe, expect, it } from 'vitest'
import {
  blockIn,
  exchange,
  giant,
  lastOf,
  model,
  placesIn,
  type SetUp,
  setUp,
  slotText,
  talk,
  talkUntilAsked,
} from './set-up.ts'

const policy = 'ratio-chain'
const windowTokens = 2_000

/** Talks until there are this many summaries. */
async function summaries(up: SetUp, count: number): Promise<readonly number[]> {
  const ends: number[] = []
  for (let from = 0; ends.length < count; ) {
    const { context, next } = await talkUntilAsked(up, { from })
    ends.push(placesIn(context)[0] ?? 0)
    from = next
  }
  return ends
}

describe('a context with a structured summary', () => {
  it('S1-013 S1-019: keeps the last six messages if the oldest of them is a question', async () => {
    const up = await setUp({ policy, windowTokens: 20_000 })
    let context = await up.chat.context({ model })
    for (let index = 0; index < 8; index += 1) {
      await up.chat.append(giant(2_000)(index))
      context = await up.chat.context({ model })
    }
    expect(context.decision.kind).toBe('compact')
    expect(placesIn(context)).toEqual([10, 11, 12, 13, 14, 15])
  })

  it('S1-013 S1-042 S1-044 S1-058 S1-061 S1-083 S1-084: has a system message with the depth, and the last messages unchanged', async () => {
    const up = await setUp({ policy })
    const { context, next } = await talkUntilAsked(up)
    const [summary, ...tail] = context.messages
    expect(summary).toMatchObject({ role: 'system', slot: 'summary' })
    expect(slotText(context, 'summary')).toMatch(/^\[.* · summary-depth:0 · /)
    // Six messages, and the question of the oldest of them.
    expect(tail.map(({ seq }) => seq)).toEqual(
      [-7, -6, -5, -4, -3, -2, -1].map((at) => next * 2 - 1 + at),
    )
    const messages = Array.from({ length: next }, (_, at) => exchange(at)).flat()
    for (const { seq, parts } of tail)
      expect(parts).toMatchObject([{ type: 'text', text: messages[seq ?? 0]?.content }])
    // The design calls it `chat.lastSummarization { depth, messageCount, tokenRatio }`.
    expect(await up.chat.receipts({ limit: 1 })).toMatchObject([
      {
        line: next * 2 - 8,
        head: next * 2 - 1,
        decision: { figures: { ratio: context.decision.figures.ratio } },
        madeBy: { summarizer: 'structured', model: 'openai/gpt-5-mini' },
        summarization: { depth: 0, why: null },
      },
    ])
  })

  it('S1-062 S1-063: halves a tail that alone would exceed the trigger, to no fewer than two messages', async () => {
    const up = await setUp({ policy, windowTokens: 40_000 })
    await talk(up.chat, { from: 0, to: 8 })
    const context = lastOf(await talk(up.chat, { from: 8, to: 11, turn: giant(10_650) }))
    expect(context.decision.reason).toBe('tokenRatio')
    expect(context.tokens).toBeLessThan(0.8 * 40_000)
    expect(placesIn(context).length).toBeGreaterThanOrEqual(2)
    expect(placesIn(context).length).toBeLessThan(6)
    expect(slotText(context, 'summary')).toContain('from module-0.ts')
    const [receipt] = await up.chat.receipts({ limit: 1 })
    expect(receipt?.stubbed).toBe(0)
    // The design has a second pass; here the tail is reduced before a model is asked.
    expect(up.live.filter(({ kind }) => kind === 'summarization-started')).toHaveLength(1)
  })

  it('S1-078 S1-079 X1-11: has a record without messages, only with their positions and hash', async () => {
    const up = await setUp({ policy })
    await talkUntilAsked(up)
    const [record] = await up.chat.summaries()
    const covered = await Array.fromAsync(up.chat.messages({ to: record?.covers.to ?? 0 }))
    expect(record?.chain).toBe(covered.at(-1)?.hashes.chain)
    expect(JSON.stringify(record)).not.toMatch(/Please look at|consider these details/)
  })

  it('S1-014 S1-043 S1-090: counts depths up, and each summary names the previous one', async () => {
    const up = await setUp({ policy })
    const ends = await summaries(up, 3)
    const [third, second, first] = await up.chat.summaries()
    expect([first, second, third].map((each) => each?.depth)).toEqual([0, 1, 2])
    expect([first, second, third].map((each) => each?.parentId)).toEqual([
      null,
      first?.id,
      second?.id,
    ])
    expect([first, second, third].map((each) => each?.covers.to)).toEqual(ends)
    expect(second?.added).toEqual({ from: ends[0], to: ends[1] })
  })

  it('S1-003 S1-099 X1-1 X1-9: folds the chain at its cap in a window of 2,000 tokens, and continues', async () => {
    const up = await setUp({ policy, windowTokens })
    await summaries(up, 7)
    const chain = (await up.chat.summaries()).toReversed()
    expect(chain.map(({ depth }) => depth)).toEqual([0, 1, 2, 0, 1, 2, 0])
    expect(chain.map(({ generation }) => generation)).toEqual([0, 0, 0, 1, 1, 1, 2])
    expect(chain.slice(1).map(({ parentId }) => parentId)).toEqual(
      chain.slice(0, -1).map(({ id }) => id),
    )
  })

  it('S1-096: still has an early name ten summaries later', async () => {
    const up = await setUp({ policy })
    await summaries(up, 10)
    const context = await up.chat.context({ model })
    expect(slotText(context, 'summary')).toContain('module-0.ts')
    expect(blockIn(up.server.requests.at(-1), 'transcript')).not.toContain('module-0.ts')
  })

  it('S1-097 B1-3: summarizes a message of 50,000 tokens in parts, and fits the window', async () => {
    const up = await setUp({ policy, windowTokens })
    await talk(up.chat, { from: 0, to: 1, turn: giant(50_000) })
    const context = lastOf(await talk(up.chat, { from: 1, to: 12 }))
    expect(context.tokens).toBeLessThanOrEqual(context.available)
    const segments = up.server.requests.map((request) => blockIn(request, 'text segment'))
    expect(segments.join('')).toMatch(/User \(part 1 of \d+\)/)
    expect(segments.join('').split(' again').length).toBeGreaterThan(50_000)
    expect(await up.chat.original(0)).not.toBeNull()
  })

  it('S1-104: requests no summary twice, however often a context is built', async () => {
    const up = await setUp({ policy })
    await talkUntilAsked(up)
    for (let times = 0; times < 3; times += 1) await up.chat.context({ model })
    await up.chat.context({ model, system: 'Be brief.' })
    expect(up.server.requests).toHaveLength(1)
  })
})

describe('the events of structured summaries', () => {
  it('S1-082 S1-105 S1-106 B1-4: are one for each, with reason, depth, ratio, and tokens before and after', async () => {
    const up = await setUp({ policy })
    await summaries(up, 2)
    const events = (await up.chat.events()).filter(({ kind }) => kind === 'summary-written')
    const receipts = (await up.chat.receipts()).toReversed()
    const records = (await up.chat.summaries()).toReversed()
    expect(events).toMatchObject(
      receipts.map(({ tokensBefore, tokensAfter, decision }, at) => ({
        reason: 'tokenRatio',
        depth: at,
        summary: records[at]?.id,
        messages: (records[at]?.added.to ?? 0) - (records[at]?.added.from ?? 0),
        tokensBefore,
        tokensAfter,
        ratio: decision.figures.ratio,
        calls: 1,
      })),
    )
    expect(events).toHaveLength(2)
    const kinds = up.live.map(({ kind }) => kind)
    const each = [
      'summarization-started',
      'model-attempt-started',
      'model-attempt-ended',
      'summarization-finished',
    ]
    expect(kinds).toEqual([...each, ...each])
  })

  it('S1-107: contain the success rate and the latency', async () => {
    const up = await setUp({ policy, faults: [null, 'refusal', null] })
    await summaries(up, 3)
    const events = (await up.chat.events()).flatMap((event) =>
      event.kind === 'summary-written' || event.kind === 'summary-failed' ? [event] : [],
    )
    const written = events.filter(({ kind }) => kind === 'summary-written')
    expect([written.length, events.length]).toEqual([2, 3])
    for (const { durationMs, calls, costUsd } of events) {
      expect(durationMs).toBeGreaterThan(0)
      expect(calls).toBe(1)
      expect(costUsd).toBeGreaterThan(0)
    }
  })
})
