/** The chain design on its shipped preset: talks without an end, what survives, and what is logged. */
import { type Context, type PolicyInput, policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import type { ModelQuestion } from '../../../../harness/fault-server.ts'
import {
  blockIn,
  exchange,
  giant,
  lastOf,
  model,
  otherModel,
  placesIn,
  type SetUp,
  setUp,
  slotText,
  talk,
  talkUntilAsked,
} from '../summaries/set-up.ts'

const policy = 'ratio-chain'
const windowTokens = 4_000

/** Every twentieth exchange has a decision with names and figures. */
function decidingTurn(index: number): ReturnType<typeof exchange> {
  const [question, answer] = exchange(index)
  if (index % 20 !== 0) return [question, answer]
  const decision = `Decided: serveLogin() of module-${index}.ts listens on port ${8_000 + index}.`
  return [question, { ...answer, content: `${decision} ${answer.content}` }]
}

/** Copies the decisions of its request and of the previous summary, and adds nothing. */
function copyDecisions({ messages }: ModelQuestion): string {
  const text = messages.map((each) => each.text).join('\n')
  const decisions = [...new Set(text.match(/Decided: serveLogin\(\)[^"\n]*?port \d+\./g))]
  return JSON.stringify({
    summary: 'User wanted to have files looked at.',
    keyPoints: [],
    context: { participants: [], decisions, actionItems: [], unresolved: [], domainEntities: [] },
  })
}

async function talkOn(up: SetUp, summaries: number): Promise<number> {
  let next = 0
  for (let count = 0; count < summaries; count += 1)
    next = (await talkUntilAsked(up, { from: next, turn: decidingTurn })).next
  return next
}

describe('a talk of many windows', () => {
  it.each([2_000, 4_000, 8_000])(
    'S1-001 S1-004 S1-005 S1-012 S1-093 S1-096 X1-1: never stops, is never deeper than three, and keeps decisions and names: %i tokens',
    async (windowTokens) => {
      const up = await setUp({ policy, windowTokens, answers: copyDecisions })
      const next = await talkOn(up, 5)
      const chain = (await up.chat.summaries()).toReversed()
      expect(chain.map(({ depth }) => depth)).toEqual([0, 1, 2, 0, 1])
      expect(chain.map(({ generation }) => generation)).toEqual([0, 0, 0, 1, 1])
      const context = await up.chat.context({ model })
      expect(context.tokens).toBeLessThanOrEqual(context.available)
      const shown = slotText(context, 'summary')
      const covered = chain.at(-1)?.covers.to ?? 0
      const decided = Array.from({ length: next }, (_, at) => at).filter((at) => at % 20 === 0)
      for (const index of decided.filter((at) => 2 * at + 1 < covered))
        expect(shown).toContain(
          `Decided: serveLogin() of module-${index}.ts listens on port ${8_000 + index}.`,
        )
      // The last question had only the previous summary to read the first decision from.
      expect(blockIn(up.server.requests.at(-1), 'transcript')).not.toContain('module-0.ts')
    },
  )

  it('S1-007: can be audited from the last summary to the first message, and a failure loses nothing', async () => {
    const faults = [null, 'not-json', null] as const
    const up = await setUp({ policy, windowTokens, answers: copyDecisions, faults: [...faults] })
    const next = await talkOn(up, 3)
    const [second, first, ...others] = await up.chat.summaries()
    expect(others).toEqual([])
    expect([second?.parentId, first?.parentId]).toEqual([first?.id, null])
    const failed = (await up.chat.events()).filter(({ kind }) => kind === 'summary-failed')
    expect(failed).toHaveLength(1)
    // What each of them added, and what is shown, are the whole log, each message once.
    const spans = [first, second].map((record) => Array.fromAsync(up.chat.messages(record?.added)))
    const added = (await Promise.all(spans)).flat()
    const shown = placesIn(await up.chat.context({ model }))
    expect([...added.map(({ seq }) => seq), ...shown]).toEqual(
      Array.from({ length: next * 2 }, (_, at) => at),
    )
    const sent = Array.from({ length: next }, (_, at) => decidingTurn(at)).flat()
    for (const { seq, parts } of added) expect(parts).toMatchObject([{ text: sent[seq]?.content }])
  })

  it('S1-094 X1-2: compacts a full window within the cooldown', async () => {
    const up = await setUp({ policy, windowTokens })
    const { next } = await talkUntilAsked(up)
    const asked = up.server.requests.length
    const [full] = await talk(up.chat, { from: next, to: next + 1, turn: giant(3_900) })
    expect(full?.decision).toMatchObject({ kind: 'compact', reason: 'emergency' })
    expect(full?.tokens).toBeLessThanOrEqual(full?.available ?? 0)
    expect(up.server.requests.length).toBeGreaterThan(asked)
  })
})

describe('the trigger', () => {
  it('S1-016 S1-091 S1-101: fires once at four fifths of the window, with one call', async () => {
    const up = await setUp({ policy, windowTokens })
    const { context, next } = await talkUntilAsked(up)
    expect(context.decision).toMatchObject({ kind: 'compact', reason: 'tokenRatio' })
    const ratios = (await up.chat.status()).requests.map(({ tokens }) => tokens / windowTokens)
    const highest = Math.max(...ratios)
    expect(highest).toBeLessThan(0.8)
    // One more exchange would have reached it.
    expect(highest).toBeGreaterThan(0.77)
    const after = await talk(up.chat, { from: next, to: next + 10 })
    for (const { decision } of after) expect(decision.kind).toBe('continue')
    expect(up.server.requests).toHaveLength(1)
  })

  it.each([
    // The preset shows six messages after a summary, so its minimum of twelve comes after the cooldown.
    ['the twelfth message', {}, 3],
    ['the fourth message after a summary', { advanced: { guards: { minMessages: 6 } } }, 2],
  ] satisfies readonly (readonly [string, Partial<PolicyInput>, number])[])(
    'S1-011 S1-023 S1-060 S1-092 S1-098: a burst above it waits for %s, and fires once',
    async (_, changes, fires) => {
      const burst = { ...policies[policy], ...changes, name: 'burst' }
      const up = await setUp({ policy: burst, windowTokens: 40_000 })
      const { next } = await talkUntilAsked(up, { turn: giant(2_000) })
      const asked = up.server.requests.length
      const contexts: Context[] = []
      for (const words of [12_000, 11_500, 1, 1, 1]) {
        await up.chat.append(giant(words)(next)[0])
        contexts.push(await up.chat.context({ model }))
      }
      const isAbove = contexts.map(({ tokens }) => tokens > 0.8 * 40_000)
      expect(isAbove.slice(1, fires)).not.toContain(false)
      const fired = contexts.flatMap(({ decision }, at) =>
        decision.kind === 'compact' ? [at] : [],
      )
      expect(fired).toEqual([fires])
      expect(contexts[fires]?.decision.reason).toBe('tokenRatio')
      expect(up.server.requests).toHaveLength(asked + 1)
    },
  )
})

describe('a request for a summary', () => {
  it('S1-070 X1-7: has each message with its role, none cut off', async () => {
    const up = await setUp({ policy, windowTokens })
    await talkUntilAsked(up)
    const [record] = await up.chat.summaries()
    const transcript = up.server.requests.map((each) => blockIn(each, 'transcript')).join('\n')
    const covered = await Array.fromAsync(up.chat.messages(record?.covers))
    expect(covered.length).toBeGreaterThan(6)
    for (const { role, parts } of covered) {
      const [part] = parts
      const text = part?.type === 'text' ? part.text.trim() : ''
      const label = role === 'user' ? 'User' : 'Assistant'
      const at = transcript.indexOf(text)
      expect(at).toBeGreaterThan(0)
      expect(transcript.slice(0, at).split('\n').slice(-2).join('')).toContain(label)
    }
  })
})

describe('the figures of a summary', () => {
  it('S1-044 S1-082 S1-106 B1-4: are in its event and in the receipt of the last compaction', async () => {
    const up = await setUp({ policy, windowTokens })
    const { context, next } = await talkUntilAsked(up)
    const [event] = (await up.chat.events()).flatMap((each) =>
      each.kind === 'summary-written' ? [each] : [],
    )
    const shown = placesIn(context)
    expect(event).toMatchObject({
      reason: 'tokenRatio',
      depth: 0,
      messages: shown[0],
    })
    expect(Math.abs((event?.tokensAfter ?? 0) - context.tokens)).toBeLessThan(5)
    expect(event?.tokensBefore).toBeGreaterThan(0.79 * windowTokens)
    const [receipt] = await up.chat.receipts({ limit: 1 })
    expect(receipt).toMatchObject({
      head: next * 2 - 1,
      decision: { figures: { ratio: event?.ratio } },
      summarization: { depth: 0 },
    })
  })
})

describe('a model with a trigger of its own', () => {
  it('S1-113: compacts at its ratio, and other models at the ratio of the policy', async () => {
    const own: PolicyInput = {
      ...policies[policy],
      name: 'per-model',
      models: [
        {
          match: otherModel,
          triggers: [{ kind: 'tokenRatio', at: 0.5, reset: 0.4, of: 'window' }],
        },
      ],
    }
    const up = await setUp({ policy: own, windowTokens })
    let last = lastOf(await talk(up.chat, { from: 0, to: 1 }))
    for (let index = 1; last.tokens < 0.6 * windowTokens; index += 1)
      last = lastOf(await talk(up.chat, { from: index, to: index + 1 }))
    expect((await up.chat.context({ model })).decision.kind).toBe('continue')
    expect(up.server.requests).toEqual([])
    const theirs = await up.chat.context({ model: otherModel })
    expect(theirs.tokens).toBeLessThan(0.5 * windowTokens)
    expect(up.server.requests).toHaveLength(1)
  })
})
