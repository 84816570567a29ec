import { policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import {
  exchange,
  giant,
  lastOf,
  model,
  openaiModel,
  setUp,
  slotText,
  talk,
  talkUntilAsked,
} from './set-up.ts'

const policy = 'ratio-chain'
const windowTokens = 2_000

describe('a structured summary is requested', () => {
  it('S1-006 S1-055 S1-101 S1-108: once, with the first request that reaches four fifths of the window', async () => {
    const up = await setUp({ policy, windowTokens })
    const contexts = await talk(up.chat, { from: 0, to: 22 })
    const at = contexts.findIndex(({ decision }) => decision.kind === 'compact')
    const before = contexts.slice(0, at).map(({ tokens }) => tokens)
    const oneMore = (before.at(-1) ?? 0) - (before.at(-2) ?? 0)
    expect(Math.max(...before)).toBeLessThan(0.8 * windowTokens)
    expect((before.at(-1) ?? 0) + oneMore).toBeGreaterThanOrEqual(0.8 * windowTokens - 10)
    expect(contexts[at]?.decision.reason).toBe('tokenRatio')
    expect(up.server.requests).toHaveLength(1)
  })

  it('S1-015 S1-054 S1-108: not if compaction is off', async () => {
    const up = await setUp({ policy, windowTokens })
    await talk(up.chat, { from: 0, to: 1 })
    await up.chat.update({ compaction: 'off' })
    const contexts = await talk(up.chat, { from: 1, to: 24 })
    expect(contexts.map(({ decision }) => decision.reason)).toContain('off')
    expect(up.server.requests).toEqual([])
  })

  it('S1-018 S1-054: not for fewer than 12 messages', async () => {
    const up = await setUp({ policy, windowTokens: 40_000 })
    const contexts = await talk(up.chat, { from: 0, to: 5, turn: giant(6_500) })
    expect(lastOf(contexts).tokens).toBeGreaterThan(32_000)
    expect(lastOf(contexts).decision).toMatchObject({ kind: 'continue', reason: 'minimum' })
    expect(up.server.requests).toEqual([])
  })

  it('S1-054 X1-2: for any number of messages if they do not fit', async () => {
    const up = await setUp({ policy, windowTokens })
    await talk(up.chat, { from: 0, to: 4 })
    const [context] = await talk(up.chat, { from: 4, to: 5, turn: giant(1_700) })
    expect(context?.decision.reason).toBe('emergency')
    expect(up.server.requests).toHaveLength(1)
  })

  it('S1-023 S1-054 S1-059: not within four messages of the last one, unless they do not fit', async () => {
    const few = { ...policies[policy], name: 'few', advanced: { guards: { minMessages: 6 } } }
    const up = await setUp({ policy: few, windowTokens: 40_000 })
    const { next } = await talkUntilAsked(up, { turn: giant(2_000) })
    const asked = up.server.requests.length
    const [cool] = await talk(up.chat, { from: next, to: next + 1, turn: giant(25_000) })
    expect(cool?.tokens).toBeGreaterThan(32_000)
    expect(cool?.decision).toMatchObject({ kind: 'continue', reason: 'cooldown' })
    expect(up.server.requests).toHaveLength(asked)
    const [full] = await talk(up.chat, { from: next + 1, to: next + 2, turn: giant(6_000) })
    expect(full?.decision).toMatchObject({ kind: 'compact', reason: 'emergency' })
    expect(up.server.requests.length).toBeGreaterThan(asked)
  })

  it('S1-060 S1-098: once for a burst of five messages that passes the trigger', async () => {
    const up = await setUp({ policy, windowTokens })
    await talk(up.chat, { from: 0, to: 14 })
    for (let index = 14; index < 19; index += 1) {
      await up.chat.append(exchange(index)[0])
      await up.chat.context({ model })
    }
    expect(up.server.requests).toHaveLength(1)
    expect(up.live.filter(({ kind }) => kind === 'summarization-started')).toHaveLength(1)
  })

  it('S1-080: with the next message counted before its request is built', async () => {
    const up = await setUp({ policy, windowTokens })
    await talk(up.chat, { from: 0, to: 14 })
    const [next] = giant(200)(14)
    expect((await up.chat.context({ model })).decision.kind).toBe('continue')
    const { decision, tokens } = await up.chat.context({ model, next })
    expect(decision).toMatchObject({ kind: 'compact', reason: 'tokenRatio' })
    expect(tokens).toBeLessThan(0.8 * windowTokens)
    expect(up.server.requests).toHaveLength(1)
  })

  it('S1-081: and the request of the chat waits for it', async () => {
    const summarizer = (url: string) => openaiModel(url, 'gpt-5-mini', 150)
    const up = await setUp({ policy, windowTokens, faults: ['hang'], summarizer })
    const { context } = await talkUntilAsked(up)
    expect(up.server.requests.map(({ ended }) => ended)).toEqual(['left', 'whole'])
    expect(slotText(context, 'summary')).toContain('User wanted to have files read')
  })
})
