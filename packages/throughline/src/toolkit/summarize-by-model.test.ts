import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../domain/message.ts'
import { meter } from '../flow/select/candidates.test-support.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import { truthfulSummary } from '../testing/truthful-summary.test-support.ts'
import { estimator } from '../tokenizers/estimate.ts'
import {
  summarizeConversation,
  summarizeWithLLM,
  summaryStore,
  updateRunningSummary,
} from './summarize-by-model.ts'

const talk: readonly MessageInput[] = [
  {
    role: 'user',
    content: 'Please move the login page to src/login.ts, before 3 May.',
    key: 'm-1',
  },
  {
    role: 'assistant',
    content: 'I moved the login page to src/login.ts, as you asked.',
    key: 'm-2',
  },
  { role: 'user', content: 'We decided to keep sessions for 30 days. Who tests it?', key: 'm-3' },
  { role: 'assistant', content: 'Nobody yet: the test of the session is still open.', key: 'm-4' },
]
const story = 'The user had the login page moved to src/login.ts and keeps sessions for 30 days.'
const context = {
  ...{ participants: [], decisions: ['Sessions are kept for 30 days.'], actionItems: [] },
  ...{ unresolved: ['Who tests the session.'], domainEntities: ['src/login.ts'] },
}
const structured = JSON.stringify({ summary: story, keyPoints: ['The test is open.'], context })
const lost = {
  kind: 'failed',
  failure: { cause: 'transport', status: null, retryAfterMs: null, message: 'connection lost' },
} as const
const fails = () => scriptedModel(() => lost)
const truthful: Parameters<typeof scriptedModel>[0] = ({ messages, schema }) =>
  truthfulSummary({ messages: messages.map(({ content }) => ({ text: content })), schema })

describe('summarizeConversation', () => {
  it('S1-045 S1-046 S1-047 S1-052: returns a record with its lists and the ids of its messages', async () => {
    const summarizer = scriptedModel(() => structured)
    const result = await summarizeConversation(talk, { meter, summarizer })
    expect(result).toMatchObject({
      ok: true,
      record: { text: story, depth: 0, parentId: null, covers: { from: 0, to: 4 } },
      originalMessageIds: ['m-1', 'm-2', 'm-3', 'm-4'],
    })
    expect(summarizer.asked).toHaveLength(1)
  })

  it('S1-090: links to the summary that it extends', async () => {
    const summarizer = scriptedModel(() => structured)
    const first = await summarizeConversation(talk, { meter, summarizer })
    const previous = first.ok ? first.record : null
    const second = await summarizeConversation(talk, { meter, summarizer, previous })
    expect(second).toMatchObject({ ok: true, record: { depth: 1, parentId: previous?.id } })
    expect(JSON.stringify(summarizer.asked[1])).toContain(story)
  })

  it('S1-046 S1-074 S1-088: a lost connection is a value that may be retried', async () => {
    const summarizer = fails()
    const result = await summarizeConversation(talk, { meter, summarizer })
    expect(result).toMatchObject({ ok: false, retryable: true, error: { code: 'SUMMARY_FAILED' } })
    expect(summarizer.asked).toHaveLength(2)
  })

  it('S1-046 S1-076 S1-089: a malformed answer is a value that is not retried', async () => {
    const summarizer = scriptedModel(() => 'No JSON here, sorry.')
    const result = await summarizeConversation(talk, { meter, summarizer })
    expect(result).toMatchObject({ ok: false, retryable: false })
    expect(summarizer.asked).toHaveLength(1)
  })

  it('S1-103 X1-7: has at most 8,000 tokens of messages in a request, and covers all of them', async () => {
    const words = 'The tiles were ordered from the shop in town. '.repeat(60)
    const long = Array.from(
      { length: 100 },
      (_, at): MessageInput => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: `Lot ${70_000 + at} was counted. ${words}`,
      }),
    )
    const summarizer = scriptedModel(truthful, { windowTokens: 400_000 })
    const result = await summarizeConversation(long, { meter, summarizer })
    expect(result).toMatchObject({ ok: true, record: { covers: { from: 0, to: 100 } } })
    expect(summarizer.asked.length).toBeGreaterThan(4)
    for (const { messages } of summarizer.asked)
      expect(estimator.count(messages.map(({ content }) => content).join('\n'))).toBeLessThan(9_000)
    const asked = JSON.stringify(summarizer.asked)
    for (let at = 0; at < 100; at += 1) expect(asked).toContain(`Lot ${70_000 + at} `)
  })
})

describe('updateRunningSummary', () => {
  it('S4-013 S4-016 S4-017: rewrites the summary from the current one and the new messages', async () => {
    const summarizer = scriptedModel(() => story)
    const current = 'The user plans a shop.'
    const updated = await updateRunningSummary(current, talk, { meter, summarizer })
    expect(updated).toEqual({ ok: true, summary: story })
    const asked = JSON.stringify(summarizer.asked[0])
    for (const text of [current, 'src/login.ts, before 3 May', 'under 200 words'])
      expect(asked).toContain(text)
  })

  it('S4-027 S4-029: asks for each chunk of a long text, as many as there are', async () => {
    const lots = Array.from(
      { length: 400 },
      (_, at) => `Shelf ${at} has lot ${70_000 + at}, whole.`,
    )
    const summarizer = scriptedModel(truthful)
    const content = lots.join('\n\n').repeat(3)
    const updated = await updateRunningSummary(null, [{ role: 'user', content }], {
      ...{ meter, summarizer },
    })
    expect(updated.ok).toBe(true)
    expect(summarizer.asked.length).toBeGreaterThan(4)
    const asked = JSON.stringify(summarizer.asked)
    for (const lot of lots) expect(asked).toContain(lot)
  })

  it('B4-1: never returns a failure as a summary', async () => {
    const updated = await updateRunningSummary('Old.', talk, { meter, summarizer: fails() })
    expect(updated).toMatchObject({ ok: false, retryable: true })
  })
})

describe('summarizeWithLLM', () => {
  it('S2-034 S2-035 S2-038 S2-039: returns the summary and its tokens, and offers no tools', async () => {
    const summarizer = scriptedModel(() => story)
    const customPrompt = 'Shortly, in {maxTokens} tokens: {context}'
    const options = { meter, summarizer, customPrompt, maxSummaryTokens: 200 }
    expect(await summarizeWithLLM(talk, options)).toEqual({
      summary: story,
      tokensUsed: meter.text(story),
    })
    expect(summarizer.asked[0]).toMatchObject({ maxOutputTokens: 200 })
    expect(JSON.stringify(summarizer.asked[0])).toContain('Shortly, in 200 tokens: ')
    expect(summarizer.asked[0]).not.toHaveProperty('tools')
  })

  it('S2-040 S2-070: falls back to rules, with no tokens', async () => {
    const { summary, tokensUsed } = await summarizeWithLLM(talk, { meter, summarizer: fails() })
    expect(summary).toMatch(/^--- Summarized Context \(4 items\) ---\n\[user: /)
    expect(tokensUsed).toBe(0)
  })
})

describe('a summary store', () => {
  it('S2-041 S2-044 S2-046 S2-047 S2-048 S2-049 S2-064: counts its updates, and can be cleared', async () => {
    const summaries = summaryStore({ meter })
    expect([summaries.getSummary(), summaries.getSummaryMessage()]).toEqual([null, null])
    const first = await summaries.update(talk.slice(0, 2))
    expect(first).toMatchObject({ version: 1, messagesIncluded: 2, tokensUsed: 0 })
    const second = await summaries.update(talk.slice(2))
    expect(second).toMatchObject({ version: 2, messagesIncluded: 4, createdAt: first.createdAt })
    expect(second.content).toContain('[Update 2]')
    expect(second.content).toContain('src/login.ts')
    expect(summaries.getSummaryMessage()).toEqual({
      role: 'system',
      content: `[Previous Conversation Summary]\n${second.content}`,
    })
    summaries.clear()
    expect(summaries.getSummary()).toBeNull()
  })

  it.each(['rules', 'a model'])(
    'S2-048 INV-15: is a user message once a tool is among its sources, by %s',
    async (writer) => {
      const model = { summarizer: scriptedModel(() => story) }
      const summaries = summaryStore({ meter, ...(writer === 'a model' && model) })
      await summaries.update(talk)
      expect(summaries.getSummaryMessage()?.role).toBe('system')
      const output = 'The user had the login page moved to src/login.ts.'
      const result = { type: 'tool-result', callId: 'c', name: 'read_file', output } as const
      await summaries.update([{ role: 'tool', content: [result] }])
      expect(summaries.getSummaryMessage()?.role).toBe('user')
      const state = JSON.parse(JSON.stringify(summaries.state()))
      const later = summaryStore({ meter, state })
      await later.update(talk)
      expect(later.getSummaryMessage()?.role).toBe('user')
    },
  )

  it('S2-043 S2-045 X2-1: has a model write old and new together, and adds lines if it fails', async () => {
    let isDown = false
    const summarizer = scriptedModel(() => (isDown ? lost : story))
    const summaries = summaryStore({ meter, summarizer })
    await summaries.update(talk.slice(0, 2))
    const second = await summaries.update(talk)
    expect(second.content).toBe(story)
    expect(JSON.stringify(summarizer.asked[1])).toContain(story)
    isDown = true
    const third = await summaries.update(talk)
    expect(third.content).toMatch(new RegExp(`^${story}\n\n\\[Update 3\\]\n--- Summarized Context`))
    expect(third.tokensUsed).toBe(second.tokensUsed)
  })

  it('S2-042 X2-7: continues from its state, as plain JSON', async () => {
    const before = summaryStore({ meter })
    await before.update(talk)
    const state = JSON.parse(JSON.stringify(before.state()))
    const after = summaryStore({ meter, state })
    expect(after.getSummary()).toEqual(before.getSummary())
    expect((await after.update(talk)).version).toBe(2)
  })

  it('S2-069: never exceeds its limit', async () => {
    const summaries = summaryStore({ meter, maxSummaryTokens: 120 })
    for (let round = 0; round < 12; round += 1) {
      const { content } = await summaries.update(talk)
      expect(meter.text(content)).toBeLessThanOrEqual(120)
    }
    expect(summaries.getSummary()?.content).toContain('(48 items)')
  })
})
