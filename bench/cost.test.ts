import type { TranscriptItem } from 'throughline/transcripts'
import { describe, expect, it } from 'vitest'
import { Bill } from '../packages/throughline/src/cli/simulation/bill.ts'
import {
  baselines,
  type CostedConversation,
} from '../packages/throughline/src/cli/simulation/cost-session.ts'
import { requestPlaces } from '../packages/throughline/src/cli/simulation/recorded-conversation.ts'
import type { MessageInput } from '../packages/throughline/src/domain/message.ts'
import type { AskContext } from './cost/replay.ts'
import { costOf, measureCost } from './cost.ts'
import { turnMessages } from './turn/messages.ts'

function file(messages: readonly MessageInput[]) {
  const items = messages.map(
    (message): TranscriptItem => ({
      kind: 'message',
      conversationId: 'one',
      message,
      usage: null,
      model: null,
      line: null,
    }),
  )
  return {
    source: 'made',
    name: 'made/one.json',
    items: async function* () {
      yield* items
    },
  }
}

const turns = (count: number) =>
  Array.from({ length: count }, (_, turn) => turnMessages(turn)).flat()

async function figuresOf(messages: readonly MessageInput[], ask?: AskContext) {
  const rows = await costOf([file(messages)], { sizes: [32_000], ...(ask && { ask }) })
  return (method: string, unit: string) =>
    rows.find((row) => row.method === method && row.unit === unit)?.value
}

const share = '× sliding'
const breaks = 'prefix breaks per 100 requests'

describe('bench cost', () => {
  it('bills every method for the same requests, and names each prefix break of ours', async () => {
    const figure = await figuresOf(turns(80))
    expect(figure('throughline', 'requests')).toBe(80)
    expect(figure('sliding', share)).toBe(1)
    for (const method of ['forgetting', 'model-summary', 'throughline'])
      expect(figure(method, share)).toBeLessThan(1)
    expect(figure('full', breaks)).toBe(0)
    expect(figure('throughline', breaks)).toBeGreaterThan(0)
    expect(figure('trigger', breaks)).toBe(figure('throughline', breaks))
    // Without reported usage, the JSON of a request is full before the trigger fires.
    const unreported = figure('throughline, usage not reported', breaks)
    expect(unreported).toBeGreaterThanOrEqual(figure('throughline', breaks) ?? 0)
    expect(figure('throughline', 'prefix breaks without a cause')).toBe(0)
    expect(figure('model-summary', 'billed summaries')).toBeGreaterThan(0)
  })

  it('notices a prefix that changes without a cause, and its cost', async () => {
    let request = 0
    const restless: AskContext = async (chat, input) => {
      const context = await chat.context(input)
      request += 1
      const [first, ...others] = context.messages
      if (first === undefined) return context
      const note = { type: 'text', text: `request ${request}`, metadata: null } as const
      return { ...context, messages: [{ ...first, parts: [note, ...first.parts] }, ...others] }
    }
    const figure = await figuresOf(turns(30), restless)
    expect(figure('throughline', 'prefix breaks without a cause')).toBe(29)
    expect(figure('throughline', share)).toBeGreaterThan(3)
  })

  it('counts a break with a cause under that cause', async () => {
    let request = 0
    const retold: AskContext = (chat, input) => {
      request += 1
      return chat.context({ ...input, system: `It is request ${request}.` })
    }
    const figure = await figuresOf(turns(20), retold)
    expect(figure('system-changed', breaks)).toBe(95)
    expect(figure('throughline', 'prefix breaks without a cause')).toBe(0)
  })

  it('skips requests that cannot be sent, for all methods alike', async () => {
    const figure = await figuresOf([
      { role: 'system', content: 'Never say so. '.repeat(8_000) },
      ...turns(2),
    ])
    expect(figure('throughline', 'requests')).toBeUndefined()
  })

  it('needs a folder', async () => {
    await expect(measureCost({ dataDir: null })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

describe('a bill', () => {
  const [a, b, c] = [{ tokens: 1_000 }, { tokens: 100 }, { tokens: 10 }]
  const request = { at: null, summary: null }

  it('charges a tenth for the prefix shared with the previous request', () => {
    const bill = new Bill()
    bill.add({ ...request, pieces: [a, b] })
    bill.add({ ...request, pieces: [a, b, c] })
    expect(bill.add({ ...request, pieces: [a, c] }).plain).toBeCloseTo(100 + 10)
    expect(bill.cost('plain')).toBeCloseTo(1_100 + 110 + 10 + 100 + 10)
    expect(bill.cost('paid')).toBeCloseTo(1.25 * (1_100 + 10 + 10) + 110 + 100)
    expect(bill).toMatchObject({ breaks: 1, sentTokens: 3_220, mostTokens: 1_110 })
  })

  it('charges in full for another conversation and for a cold cache', () => {
    const bill = new Bill()
    bill.add({ ...request, pieces: [a], at: 0 })
    bill.add({ ...request, pieces: [a], at: 300_000 })
    bill.add({ ...request, pieces: [a], at: 600_001 })
    bill.beginConversation()
    bill.add({ ...request, pieces: [a], at: 600_002 })
    expect(bill.cost('plain')).toBeCloseTo(1_000 + 100 + 100 + 1_000)
    expect(bill.cost('paid')).toBeCloseTo(1_250 + 100 + 1_250 + 1_250)
    expect({ cold: bill.cold, breaks: bill.breaks }).toEqual({ cold: 1, breaks: 0 })
  })

  it('charges a summary as a request that the cache knows, and four times for its output', () => {
    const bill = new Bill()
    bill.add({ ...request, pieces: [a, b] })
    const summary = { pieces: [a, b, c], outputTokens: 50 }
    const costs = bill.add({ at: null, pieces: [a, c], summary })
    expect(costs.plain).toBeCloseTo(110 + 10 + 200 + 100 + 10)
    expect(bill).toMatchObject({ requests: 2, summaries: 1, breaks: 1 })
  })
})

describe('the simpler ways', () => {
  const conversation = (count: number): CostedConversation => ({
    head: [{ tokens: 1_000 }],
    messages: Array.from({ length: count }, () => ({ tokens: 1_000 })),
    windowTokens: 20_000,
  })
  const sizes = (method: keyof typeof baselines) => {
    const send = baselines[method](conversation(30))
    return Array.from({ length: 30 }, (_, place) => send(place + 1).pieces.length)
  }

  it('drop the oldest messages when the window is full', () => {
    expect(Math.max(...sizes('sliding'))).toBe(18)
    expect(
      sizes('sliding')
        .slice(17)
        .every((size) => size === 18),
    ).toBe(true)
    expect(sizes('forgetting').slice(16, 20)).toEqual([18, 9, 10, 11])
  })

  it('send at least one message, however large it is', () => {
    const large = { head: [], messages: [{ tokens: 1 }, { tokens: 99_999 }], windowTokens: 100 }
    expect(baselines.sliding(large)(2).pieces).toEqual([{ tokens: 99_999 }])
  })

  it('keep six messages and a summary of the rest, requested after the chat request', () => {
    expect(sizes('model-summary').slice(13, 18)).toEqual([15, 16, 8, 9, 10])
    const send = baselines['model-summary'](conversation(30))
    const asked = Array.from({ length: 17 }, (_, place) => send(place)).at(-1)?.summary
    expect(asked?.pieces).toHaveLength(17)
    expect(asked?.outputTokens).toBe(1_700)
  })
})

describe('the positions of requests', () => {
  it('are one per reply, however many messages it has', () => {
    const reply = (responseId: string | null): MessageInput => ({
      role: 'assistant',
      content: 'So.',
      ...(responseId && { meta: { responseId } }),
    })
    const user: MessageInput = { role: 'user', content: 'And?' }
    const messages = [
      user,
      reply('a'),
      reply('a'),
      user,
      reply('a'),
      user,
      reply('b'),
      user,
      reply(null),
    ]
    const calls = messages.flatMap(({ role }, place) => (role === 'assistant' ? place : []))
    const conversation = { id: 'one', system: '', tools: [], messages, calls }
    expect(requestPlaces(conversation)).toEqual([1, 6, 8])
  })
})
