/** The parts of a `rolling-rows` context once there is a row. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText } from 'ai'
import { type Context, type ContextInput, historyText, policies } from 'throughline'
import { aiSdk } from 'throughline/adapters'
import { sqlite } from 'throughline/stores/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ModelQuestion } from '../../../../harness/fault-server.ts'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'
import { rowsIn, testFolder } from '../stores/sqlite-file.ts'
import { claude, slotsOf, talkSlowly, tokensOf } from './background-summaries.ts'
import {
  askedIn,
  exchange,
  giant,
  honest,
  lastOf,
  longAnswer,
  model,
  placesIn,
  type SetUpOptions,
  setUp,
  slotText,
} from './set-up.ts'

const policy = 'rolling-rows'
const set = (options: Partial<SetUpOptions> = {}) =>
  setUp({ policy, windowTokens: 16_000, summarizer: claude, ...options })

/** Talks until there are this many rows; returns the context of the next question. */
async function withRow(options: Partial<SetUpOptions> = {}, rows = 1) {
  const up = await set(options)
  const contexts = await talkSlowly(up, { from: 0, to: 14 + (rows - 1) * 10 })
  return { ...up, context: lastOf(contexts) }
}

const firstRowText =
  'User wanted to have files read, from module-0.ts to module-4.ts, and the assistant has found nothing wrong with them.'

describe('a context with a row', () => {
  it('S3-006 S3-027 S3-028 S3-069 S3-093 S3-094: starts with the row, under its heading, before the recent messages', async () => {
    const { context } = await withRow()
    expect(slotsOf(context)).toEqual(['summary', 'recent', 'current'])
    expect(slotText(context, 'summary')).toContain(
      `## Earlier in this conversation\n\n${firstRowText}`,
    )
    expect(placesIn(context)[0]).toBe(10)
  })

  it('S3-029: without a row has only the messages', async () => {
    const up = await set()
    const context = lastOf(await talkSlowly(up, { from: 0, to: 9 }))
    expect(slotsOf(context)).toEqual(['recent', 'current'])
    expect(JSON.stringify(context.messages)).not.toContain('Earlier in this conversation')
  })

  it('S3-030 S3-073 S3-095 B3-1: counts the row once', async () => {
    const { context, tl } = await withRow()
    const meter = await tl.meter(model)
    const written = meter.text(firstRowText)
    expect(tokensOf(context, 'summary')).toBeGreaterThan(written)
    // Its heading and the block's marks.
    expect(tokensOf(context, 'summary')).toBeLessThan(written + 80)
    const sections = context.sections.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(context.tokens).toBe(sections + meter.card.overhead.perRequestTokens)
    expect(sections).toBe(
      context.messages.reduce((sum, message) => sum + meter.size(message).tokens, 0),
    )
  })

  it('S3-008 S3-025 S3-092: shows only the newest row, and keeps the others stored', async () => {
    const { chat, context } = await withRow({}, 2)
    const [newest, older, ...others] = await chat.summaries()
    expect(others).toEqual([])
    expect(newest?.parentId).toBe(older?.id)
    const shown = slotText(context, 'summary')
    expect(shown.split('## Earlier in this conversation')).toHaveLength(2)
    expect(shown).toContain(newest?.text)
    expect(shown).not.toContain(older?.text)
  })

  it('S3-011 XC-18: has rows of its own conversation only', async () => {
    const { tl, server, context } = await withRow()
    const other = tl.conversation('other')
    const turn = (index: number) => exchange(index + 500)
    const contexts = await talkSlowly({ chat: other, tl }, { from: 0, to: 14, turn })
    const [ours, theirs] = server.requests.map((request) => askedIn(request).content)
    expect(ours).toMatch(/module-1\.ts/)
    expect(theirs).toMatch(/module-501\.ts/)
    expect(theirs).not.toMatch(/module-\d{1,2}\.ts/)
    expect(slotText(lastOf(contexts), 'summary')).toContain('module-500.ts to module-504.ts')
    expect(slotText(context, 'summary')).not.toContain('module-500.ts')
  })
})

describe('a row', () => {
  it('S3-005 S3-023 S3-024 S3-036 S3-043 S3-089 S3-090 S3-091: is one of conversation_summaries', async () => {
    const folder = testFolder()
    onTestFinished(() => folder.remove())
    const file = folder.file('rows.db')
    const { chat } = await withRow({ store: sqlite(file) }, 2)
    const rows = rowsIn(file, 'conversation_summaries')
    expect(rows).toMatchObject([
      {
        conversation_id: 'c',
        summary_text: firstRowText,
        messages_covered: 10,
        start_message_id: 'c#0',
        end_message_id: 'c#9',
      },
      {
        conversation_id: 'c',
        messages_covered: 30,
        start_message_id: 'c#10',
        end_message_id: 'c#29',
      },
    ])
    const records = await chat.summaries()
    expect(rows.map(({ id }) => id)).toEqual(records.map(({ id }) => id).toReversed())
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
    for (const { created_at: at } of rows) expect(new Date(String(at)).toISOString()).toBe(at)
  })

  it('S3-004 S3-018 S3-084: is written by the cheap model, not by the chat’s model', async () => {
    const { chat, server, live } = await withRow()
    expect(server.requests.map(({ question }) => question?.model)).toEqual(['claude-haiku-4-5'])
    const [row] = await chat.summaries()
    expect(row?.madeBy.model).toBe('anthropic/claude-haiku-4-5')
    expect(row?.account.attempts).toMatchObject([{ model: 'anthropic/claude-haiku-4-5' }])
    expect(live.filter(({ kind }) => kind === 'model-attempt-ended')).toHaveLength(1)
  })

  it('S3-021 S3-085 S3-086 S3-087: is plain text under 500 words about the topics of the conversation', async () => {
    const { chat, server } = await withRow({ answers: (question) => truthfulSummary(question) })
    const [row] = await chat.summaries()
    expect(row?.text).toMatch(/^The user/)
    expect(row?.text).not.toMatch(/[{}[\]]/)
    expect(row?.text.split(/\s+/).length).toBeLessThan(500)
    for (const topic of ['module-0.ts', 'module-1.ts', 'part 1 holds'])
      expect(row?.text).toContain(topic)
    expect(askedIn(server.requests[0]).system).toContain('Key topics discussed')
  })
})

describe('a question about the beginning', () => {
  it('S3-002 S3-031 S3-079 S3-096: is answered by the chat’s model, which sees it in the row', async () => {
    const answers = (question: ModelQuestion) =>
      question.model === 'claude-haiku-4-5' ? honest(question) : recalled(question)
    const { chat, server, tl } = await withRow({ answers }, 3)
    const ask = async (context: Context) => {
      const anthropic = createAnthropic({ baseURL: server.url, apiKey: 'test-key' })
      const { instructions, messages } = aiSdk.write(context)
      const asked = { model: anthropic('claude-opus-4-5'), messages }
      return (await generateText(instructions === undefined ? asked : { ...asked, instructions }))
        .text
    }
    await chat.append({ role: 'user', content: 'What did we talk about at the start?' })
    const context = await chat.context({ model })
    // The message is fifty messages back, and not shown.
    expect(placesIn(context)[0]).toBe(50)
    expect(await ask(context)).toBe('We began with module-0.ts.')
    const bare = { ...context, messages: context.messages.filter(({ slot }) => slot !== 'summary') }
    expect(await ask(bare)).toBe('I do not know.')
    await tl.settled()
  })
})

describe('a request of the design', () => {
  const long = (word: string, words: number) => Array(words).fill(word).join(' ')
  const input: ContextInput = {
    model,
    system: long('kind', 1_500),
    profile: `User likes trains. ${long('train', 9_000)}`,
    retrieved: [
      { id: 'm-7', title: 'an earlier talk', text: `Ines moves. ${long('moves', 9_000)}` },
    ],
  }

  it('S3-068 S3-072 XC-12: has the profile, the retrieved texts, the row and the messages, in this order', async () => {
    const { chat, tl } = await withRow()
    const next = { role: 'user', content: 'And now?' } as const
    const context = await chat.context({ ...input, next })
    expect(slotsOf(context)).toEqual([
      'system',
      'profile',
      'retrieved',
      'summary',
      'recent',
      'current',
    ])
    expect(context.tokens).toBeGreaterThan(0)
    expect(JSON.stringify(context.messages.at(-1))).toContain('And now?')
    await tl.settled()
  })

  it('S3-076 K-003: keeps the budget of the design’s table if every part is too long', async () => {
    const { reserve, advanced } = policies[policy]
    const most = (kind: string) => advanced.slots.find((slot) => slot.kind === kind)?.share
    expect(reserve.tokens).toBe(1_000)
    // A profile of 800, and values, challenges and goals of 2,000.
    expect(most('profile')).toEqual({ tokens: 2_800 })
    expect(most('retrieved')).toEqual({ tokens: 1_500 })
    expect(most('summary')).toEqual({ tokens: 500 })
    const answers = longAnswer(200)
    const up = await set({ windowTokens: 10_300, answers })
    // The row’s source and the written row are both too long.
    const turn = (index: number) => (index < 2 ? giant(500)(index) : exchange(index))
    const ask = () => up.chat.context(input)
    const contexts = await talkSlowly(up, { from: 0, to: 14, turn, ask })
    const context = lastOf(contexts)
    const marks = 60
    expect(tokensOf(context, 'profile')).toBeGreaterThan(2_700)
    expect(tokensOf(context, 'profile')).toBeLessThan(2_800 + marks)
    expect(tokensOf(context, 'retrieved')).toBeGreaterThan(1_300)
    expect(tokensOf(context, 'retrieved')).toBeLessThan(1_500 + marks)
    expect(tokensOf(context, 'summary')).toBeGreaterThan(390)
    expect(tokensOf(context, 'summary')).toBeLessThan(500 + marks)
    expect(tokensOf(context, 'recent')).toBeLessThan(3_000)
    expect(placesIn(context)).toEqual(Array.from({ length: 17 }, (_, at) => 10 + at))
    expect(context.tokens).toBeLessThanOrEqual(10_300 - 1_000)
    expect(context.omitted.filter(({ why }) => why === 'over-share')).toHaveLength(2)
  })
})

describe('the history as one text', () => {
  it('S3-069 S3-070: is the row, a blank line, and the messages marked as past', async () => {
    const { context } = await withRow()
    const lines = historyText(context).split('\n')
    expect(lines.slice(0, 6)).toEqual([
      '## Earlier in this conversation',
      '',
      firstRowText,
      '',
      '## CONVERSATION HISTORY (for context only - do NOT respond to these)',
      `[PAST] User: ${String(exchange(5)[0].content)}`,
    ])
    expect(lines.at(-2)).toBe(`[PAST] Assistant: ${String(exchange(12)[1].content)}`)
    expect(lines.at(-1)).toBe('(End of conversation history)')
    expect(lines.filter((line) => line.startsWith('[PAST] '))).toHaveLength(16)
  })

  it('S3-071: says that there is no history for a first question', async () => {
    const up = await set()
    const context = lastOf(await talkSlowly(up, { from: 0, to: 1 }))
    expect(historyText(context)).toBe('(No prior messages in this conversation)')
  })
})

/** A model that answers only from its request. */
function recalled({ messages }: ModelQuestion): string {
  const shown = messages.map(({ text }) => text).join('\n')
  return shown.includes('module-0.ts') ? 'We began with module-0.ts.' : 'I do not know.'
}
