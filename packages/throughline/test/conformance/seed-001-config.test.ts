/** Settings of the design with structured summaries: what they are, and that each of them counts. */
import { createThroughline, type PolicyInput, policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import {
  exchange,
  giant,
  placesIn,
  type SetUp,
  setUp,
  talk,
  talkUntilAsked,
} from '../summaries/set-up.ts'

const design = policies['ratio-chain']
const [trigger] = design.triggers
const windowTokens = 2_000

const changed = (changes: object): PolicyInput => ({ ...design, name: 'changed', ...changes })

async function chainOf(up: SetUp, summaries: number) {
  for (let from = 0, count = 0; count < summaries; count += 1)
    from = (await talkUntilAsked(up, { from })).next
  return (await up.chat.summaries()).toReversed()
}

describe('when a summary is due', () => {
  it('S1-002: the share of the window decides, before it is full, and no number of messages', async () => {
    const many = await setUp({ policy: design, windowTokens: 40_000 })
    const contexts = await talk(many.chat, { from: 0, to: 24 })
    expect(contexts.every(({ decision }) => decision.kind !== 'compact')).toBe(true)
    expect(many.server.requests).toEqual([])
    const few = await setUp({ policy: design, windowTokens: 40_000 })
    const { context, next } = await talkUntilAsked(few, { turn: giant(4_000) })
    expect(next * 2).toBeLessThan(20)
    expect(context.decision).toMatchObject({ kind: 'compact', reason: 'tokenRatio' })
    // There was still room: nothing had to go.
    const { tokens, availableTokens } = context.decision.figures
    expect(tokens).toBeLessThan(availableTokens)
  })

  it.each([0.5, 0.65, 0.8])('S1-016: at a ratio of %d, and not below it', async (at) => {
    expect(trigger).toMatchObject({ kind: 'tokenRatio', at: 0.8, of: 'window' })
    const policy = changed({
      triggers: [{ kind: 'tokenRatio', at, reset: at - 0.1, of: 'window' }],
    })
    const up = await setUp({ policy, windowTokens })
    const contexts = await talk(up.chat, { from: 0, to: 20 })
    const fired = contexts.findIndex(({ decision }) => decision.kind === 'compact')
    const before = contexts.slice(0, fired).map(({ tokens }) => tokens / windowTokens)
    expect(Math.max(...before)).toBeLessThan(at)
    expect(contexts[fired]?.decision.figures.tokens).toBeGreaterThanOrEqual(at * windowTokens)
  })

  it.each([
    ['S1-016', { at: 0, reset: 0 }],
    ['S1-016', { at: 1.2, reset: 0.7 }],
    ['S1-017', { at: 0.8, reset: 0.8 }],
    ['S1-017', { at: 0.8, reset: 0.9 }],
  ])('%s: refuses the marks %o', (_, marks) => {
    const triggers = [{ kind: 'tokenRatio' as const, of: 'window' as const, ...marks }]
    expect(() => createThroughline({ policy: changed({ triggers }) })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    )
  })

  it.each([6, 12, 18])('S1-018: with %i messages, and not with fewer', async (minMessages) => {
    expect(design.advanced.guards.minMessages).toBe(12)
    const policy = changed({ advanced: { guards: { minMessages } } })
    // Three of them are over the ratio.
    const up = await setUp({ policy, windowTokens: 40_000 })
    const turn = (index: number) => (index < 3 ? giant(10_900)(index) : exchange(index))
    const { next } = await talkUntilAsked(up, { turn })
    // The question that was asked with is the last of them.
    expect([minMessages, minMessages + 1]).toContain(next * 2 - 1)
  })

  it('S1-017: the lower mark is 0.7, and any below the upper one is taken', () => {
    expect(trigger).toMatchObject({ reset: 0.7 })
    const triggers = [{ kind: 'tokenRatio', at: 0.8, reset: 0.79, of: 'window' }]
    expect(() => createThroughline({ policy: changed({ triggers }) })).not.toThrow()
  })
})

describe('what a summary leaves', () => {
  it.each([2, 6, 10])('S1-019: %i messages as they were', async (messages) => {
    expect(design.keepRecent).toEqual({ messages: 6 })
    const up = await setUp({ policy: changed({ keepRecent: { messages } }), windowTokens })
    const { context, next } = await talkUntilAsked(up)
    const tail = placesIn(context)
    // One more if an answer would be without its question.
    expect([messages, messages + 1]).toContain(tail.length)
    const head = next * 2 - 1
    expect(tail).toEqual(Array.from(tail, (_, at) => head - tail.length + at))
  })

  it('S1-020 X1-1: a chain as deep as it may be, and then a new one', async () => {
    expect(design.summarizers).toMatchObject([{ style: 'structured', depthMax: 3 }])
    const policy = changed({ summarizers: [{ style: 'structured', depthMax: 2 }] })
    const chain = await chainOf(await setUp({ policy, windowTokens }), 4)
    expect(chain.map(({ depth }) => depth)).toEqual([0, 1, 0, 1])
    expect(chain.map(({ generation }) => generation)).toEqual([0, 0, 1, 1])
  })

  it('S1-109 X1-12: with a depth of one every summary is a root', async () => {
    const policy = changed({ summarizers: [{ style: 'structured', depthMax: 1 }] })
    const chain = await chainOf(await setUp({ policy, windowTokens }), 3)
    expect(chain.map(({ depth }) => depth)).toEqual([0, 0, 0])
    expect(chain.map(({ generation }) => generation)).toEqual([0, 1, 2])
    expect(chain.at(-1)?.covers.from).toBe(0)
  })
})

describe('settings', () => {
  it.each([
    ['guards.cooldownMessages', { advanced: { guards: { cooldownMessages: -1 } } }],
    ['guards.minMessages', { advanced: { guards: { minMessages: 1.5 } } }],
    ['keepRecent', { keepRecent: { messages: 1 } }],
    ['summarizers[0].depthMax', { summarizers: [{ style: 'structured', depthMax: 0 }] }],
    ['onFailure', { advanced: { onFailure: 'shrug' } }],
    ['triggerTokenRatio', { triggerTokenRatio: 0.8 }],
  ])('S1-025: refuse a wrong %s, and name it', (field, changes) => {
    const named = field.split('.')[0]?.replace(/\[.*/, '') ?? field
    expect(() => createThroughline({ policy: changed(changes) })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(named),
      }),
    )
  })

  it('S1-025: have defaults for all that is left out', async () => {
    const up = await setUp({ policy: { name: 'mine' }, windowTokens })
    await up.chat.append([...exchange(0)])
    const { budget } = await up.chat.context({ model: 'toy/chat' })
    expect(budget.reserveTokens).toBe(0.25 * windowTokens)
  })
})
