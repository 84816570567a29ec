/** The design with a running summary and documents, as its author would try it. */
import type { Context } from 'throughline'
import { describe, expect, it } from 'vitest'
import {
  failing,
  message,
  model,
  placesIn,
  range,
  type Scenario,
  scenario,
  summaryText,
  variants,
  written,
} from './scenarios.ts'

const policy = 'running-rag'

const messages = (up: Scenario, count: number, tokens: number) =>
  range(0, count).map((at) => message(at, up.text(`part-${at}.ts`, tokens)))

/** Summary and messages, without the system prompt and documents. */
const conversationTokens = ({ sections }: Context) =>
  sections
    .filter(({ kind }) => ['summary', 'earlier', 'recent', 'current'].includes(kind))
    .reduce((sum, { tokens }) => sum + tokens, 0)

describe.each(variants)('$windowTokens tokens, usage reported: $reportsUsage', (variant) => {
  it('S4-001 S4-002 S4-008 S4-011: above 2,000 tokens a summary replaces older messages, and never below', async () => {
    const up = await scenario(policy, variant)
    const contexts = await up.say(messages(up, 60, 50))
    const first = contexts.findIndex((context) => summaryText(context) !== '')
    expect(first).toBeGreaterThan(0)
    for (const context of contexts.slice(0, first - 1))
      expect(conversationTokens(context)).toBeLessThanOrEqual(2_000)
    const [[head = 0, covered = 0] = []] = await written(up)
    expect([10, 11]).toContain(head - covered)
    expect(placesIn(contexts[first] as Context)[0]).toBe(covered)
    expect(conversationTokens(contexts[first] as Context)).toBeLessThan(2_000)
  })

  it.each([45, 55])(
    'S4-032: 50 stored messages of %d tokens are 40 summarized and 10 shown, unasked',
    async (tokens) => {
      const up = await scenario(policy, variant)
      await up.chat.append(messages(up, 50, tokens))
      await up.ask()
      await up.tl.settled()
      const context = await up.ask()
      expect(await written(up)).toEqual([[50, 40]])
      expect(placesIn(context)).toEqual(range(40, 50))
      expect(context.messages[0]).toMatchObject({ role: 'system', slot: 'summary' })
      expect(summaryText(context)).toMatch(/^PREVIOUS CONVERSATION SUMMARY:/)
    },
  )

  it('S4-005 S4-006 S4-013 S4-014 S4-015 S4-033: each summary continues the one before, and the talk stays below 2,000 tokens', async () => {
    const up = await scenario(policy, variant)
    const contexts = await up.say(messages(up, 120, 50))
    const rows = (await up.chat.summaries()).toReversed()
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.map(({ parentId }) => parentId)).toEqual([
      null,
      ...rows.slice(0, -1).map(({ id }) => id),
    ])
    for (const { text } of rows) expect(text.split(/\s+/).length).toBeLessThanOrEqual(200)
    // A context above the limit waits for its summary, and the next one has it.
    for (const [at, context] of contexts.entries())
      if (conversationTokens(context) > 2_000)
        expect(conversationTokens(contexts[at + 1] ?? context)).toBeLessThanOrEqual(2_000)
  })

  it('S4-021 S4-024 S4-026: documents come before the summary, and never into it', async () => {
    const up = await scenario(policy, variant)
    await up.chat.append(messages(up, 50, 50))
    const retrieved = [{ id: '123', title: 'grammar.pdf', text: 'Wa marks the topic.' }]
    const ask = () => up.chat.context({ model, system: 'You are a tutor.', retrieved })
    await ask()
    await up.tl.settled()
    const slots = (await ask()).messages.map(({ slot }) => slot)
    expect(slots.slice(0, 3)).toEqual(['retrieved', 'summary', 'recent'])
    expect(JSON.stringify(up.writer.asked)).not.toContain('Wa marks')
  })

  it('B4-1: a summary that fails moves no checkpoint, and leaves everything shown', async () => {
    const up = await scenario(policy, variant, failing)
    await up.chat.append(messages(up, 50, 45))
    await up.ask()
    await up.tl.settled()
    expect(placesIn(await up.ask())).toEqual(range(0, 50))
    expect(await written(up)).toEqual([])
  })
})
