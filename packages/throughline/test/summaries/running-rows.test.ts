import { createAnthropic } from '@ai-sdk/anthropic'
import { policies } from 'throughline'
import { languageModel } from 'throughline/models'
import { sqlite } from 'throughline/stores/sqlite'
import { describe, expect, it } from 'vitest'
import type { ModelFault } from '../../../../harness/fault-server.ts'
import { rowsIn, testFolder } from '../stores/sqlite-file.ts'
import {
  askedIn,
  blockIn,
  exchange,
  giant,
  lastOf,
  longAnswer,
  model,
  placesIn,
  setUp,
  slotText,
  talk,
} from './set-up.ts'

/** The preset, but a request waits for its row. */
const policy = { ...policies['rolling-rows'], run: { mode: 'blocking' } } as const
const windowTokens = 16_000

function claude(url: string) {
  const anthropic = createAnthropic({ baseURL: url, apiKey: 'test-key' })
  return languageModel(anthropic('claude-haiku-4-5'), { timeoutMs: 5_000 })
}

/** Talks past the question that makes a summary due: the 21st message, then every 20th. */
async function rows(count = 1, options: Partial<Parameters<typeof setUp>[0]> = {}) {
  const up = await setUp({ policy, windowTokens, summarizer: claude, ...options })
  const contexts = await talk(up.chat, { from: 0, to: 13 + (count - 1) * 10 })
  return { ...up, context: lastOf(contexts), contexts }
}

const summaryRows = (file: string) =>
  rowsIn(file, 'derived').filter(({ kind }) => kind === 'summary')

describe('the request for a row', () => {
  it('S3-018: goes to the given model, in the form of its provider', async () => {
    const { server } = await rows()
    expect(server.requests).toMatchObject([
      {
        api: 'anthropic-messages',
        path: '/v1/messages',
        problems: [],
        question: { model: 'claude-haiku-4-5' },
      },
    ])
  })

  it('S3-019 S3-059 S3-064 X3-1: contains all messages before the last ten, with their speakers', async () => {
    const { server, context } = await rows()
    const messages = [0, 1, 2, 3, 4].flatMap((index) => exchange(index))
    expect(blockIn(server.requests[0], 'transcript')).toBe(
      messages
        .map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`.trim())
        .join('\n\n'),
    )
    expect(placesIn(context)).toEqual(Array.from({ length: 15 }, (_, at) => 10 + at))
  })

  it('S3-020 S3-046 S3-057 S3-104 S3-113: contains the previous summary, or says that there is none', async () => {
    const { server, chat } = await rows(2)
    const [first, second] = server.requests
    expect(askedIn(first).content).toMatch(
      /^## Messages to Summarize\n\n\[transcript .*\n\n## Previous Summary \(if any\)\n\nNone \(start of conversation\)\n/s,
    )
    expect(blockIn(second, 'previous summary')).toBe((await chat.summaries({ skip: 1 }))[0]?.text)
    expect(askedIn(second).system).toContain('integrate the new information seamlessly')
  })

  it('S3-045 S3-047 S3-048 S3-049 S3-050 S3-051 S3-052 S3-053 S3-054 S3-055 S3-056 S3-058: says what to summarize, and how', async () => {
    const { server } = await rows()
    const { system } = askedIn(server.requests[0])
    const promptLines = {
      'S3-045':
        /summarizing a segment of a conversation for future context.*helps an AI assistant to recall what was discussed earlier/,
      'S3-047': /1\. Key topics discussed/,
      'S3-048': /2\. Important decisions or conclusions reached/,
      'S3-049': /3\. Emotional tone and any significant moments/,
      'S3-050': /4\. Any commitments, goals, or follow-ups mentioned/,
      'S3-051': /5\. Important facts the user shared about themselves/,
      'S3-052': /Keep it under 300 words/,
      // X3-9: not in future conversations.
      'S3-053': /Focus on what is useful context later in this conversation/,
      'S3-054': /third person \("User discussed…", not "You discussed…"\)/,
      'S3-055': /Preserve specific details that may be referenced later \(names, dates, places\)/,
      'S3-056': /Note any unresolved questions or topics that might come up again/,
      'S3-058': /plain text, not JSON, in natural paragraphs/,
    }
    for (const [id, words] of Object.entries(promptLines)) expect(system, id).toMatch(words)
    expect(server.requests[0]?.question?.schema).toBeNull()
  })

  it('S3-063: allows at most 500 tokens, no tools and no randomness', async () => {
    const { server } = await rows()
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 500, temperature: 0 })
    expect(server.requests[0]?.question?.toolNames).toEqual([])
  })
})

describe('a row', () => {
  it('S3-021 S3-106 X3-5 X3-8: is cut at a sentence if it is too long, below 500 tokens and words', async () => {
    const answers = longAnswer(200)
    const { chat, tl } = await setUp({ policy, windowTokens, summarizer: claude, answers })
    await talk(chat, { from: 0, to: 13, turn: giant(400) })
    const [row] = await chat.summaries()
    expect(row).toMatchObject({ degraded: true, text: expect.stringMatching(/read\.$/) })
    const meter = await tl.meter(model)
    expect(meter.text(row?.text ?? '')).toBeLessThanOrEqual(500)
    expect(row?.text.split(/\s+/).length).toBeLessThan(500)
  })

  it('S3-021 S3-058 X3-7: is refused if it is JSON, and rules write instead', async () => {
    const answers = JSON.stringify({ summary: 'User wanted to have module-1.ts read.' })
    const { chat, live } = await rows(1, { answers })
    expect(await chat.summaries()).toEqual([])
    expect(live.at(-1)).toMatchObject({
      summarization: { attempts: [{ outcome: { kind: 'refused', reasons: [/not-text/] } }] },
    })
  })

  it.each(['server-error', 'reset', 'empty', 'refusal'] satisfies readonly ModelFault[])(
    'S3-022 S3-061 B3-4: is skipped if the model fails with %s',
    async (fault) => {
      const { chat, context, live } = await rows(1, { faults: () => fault })
      expect(await chat.summaries()).toEqual([])
      expect(context.messages.at(-1)?.seq).toBe(24)
      expect(live.at(-1)?.kind).toBe('summarization-failed')
      const [, next] = await talk(chat, { from: 13, to: 15 })
      expect(next?.decision.kind).toBe('continue')
      expect((await chat.info())?.head).toBe(30)
    },
  )

  it('S3-023 S3-024 S3-065 S3-108: has its conversation, its text and its messages', async () => {
    const folder = testFolder()
    const file = folder.file('rows.db')
    const { chat } = await rows(1, { store: sqlite(file) })
    const [row] = summaryRows(file)
    expect(summaryRows(file)).toHaveLength(1)
    expect(rowsIn(file, 'conversations')[0]?.['pk']).toBe(row?.['conversation'])
    expect(row).toMatchObject({ bound: 10 })
    // Positions serve as the design’s message ids: unlike times they cannot tie (B3-2).
    expect(JSON.parse(String(row?.['body']))).toMatchObject({
      text: expect.stringContaining('module-4.ts'),
      covers: { from: 0, to: 10 },
      added: { from: 0, to: 10 },
    })
    expect((await chat.summaries())[0]?.covers).toEqual({ from: 0, to: 10 })
    folder.remove()
  })

  it('S3-025 X3-10: stays stored, and only the newest is shown', async () => {
    const { chat, context } = await rows(2)
    const [newest, older] = await chat.summaries()
    expect(newest?.createdAt).toBeGreaterThanOrEqual(older?.createdAt ?? Number.NaN)
    expect([older?.covers.to, newest?.covers.to]).toEqual([10, 30])
    expect(newest?.parentId).toBe(older?.id)
    expect(slotText(context, 'summary')).toContain(newest?.text)
    expect(slotText(context, 'summary')).not.toContain(older?.text)
    expect(slotText(context, 'summary')).toContain('## Earlier in this conversation')
  })

  it('S3-026 X3-6: is purged with its conversation', async () => {
    const folder = testFolder()
    const file = folder.file('purged.db')
    const { chat } = await rows(1, { store: sqlite(file) })
    expect(summaryRows(file)).toHaveLength(1)
    await chat.history.purge()
    expect(summaryRows(file)).toEqual([])
    folder.remove()
  })

  it('S3-060 S3-061: is written once if requested twice at the same time, and its lock is released', async () => {
    const up = await setUp({ policy, windowTokens, summarizer: claude })
    await talk(up.chat, { from: 0, to: 12 })
    await up.chat.append(exchange(12)[0])
    const [one, two] = await Promise.all([up.chat.context({ model }), up.chat.context({ model })])
    expect(up.server.requests).toHaveLength(1)
    expect(one?.fingerprint).toBe(two?.fingerprint)
    await up.chat.append(exchange(12)[1])
    await talk(up.chat, { from: 13, to: 23 })
    expect(up.server.requests).toHaveLength(2)
  })

  it('S3-060 S3-061: releases its lock after a failure', async () => {
    const { chat, server } = await rows(1, { faults: ['refusal'] })
    await talk(chat, { from: 13, to: 23 })
    expect(server.requests).toHaveLength(2)
    expect(await chat.summaries()).toMatchObject([{ added: { from: 0, to: 30 } }])
  })

  it('S3-062: asks no model if there is nothing to summarize, and reports that', async () => {
    const up = await setUp({ policy, windowTokens, summarizer: claude })
    const sealed = { type: 'opaque', kind: 'sealed', json: '{"a":1}' } as const
    const mute = (index: number) =>
      index > 4
        ? exchange(index)
        : ([
            { role: 'user', content: [sealed] },
            { role: 'assistant', content: [sealed] },
          ] as const)
    await talk(up.chat, { from: 0, to: 13, turn: mute })
    expect(up.server.requests).toEqual([])
    expect(up.live.at(-1)).toMatchObject({ summarization: { why: 'nothing-to-summarize' } })
  })

  it('S3-066 K-004: can be written by a server with a fixed text', async () => {
    const answers = [
      'User had module-0.ts in src/part0 and module-1.ts in src/part1 looked at, with details of the plan.',
      'Key points covered:\n- Both parts hold.\n- The plan goes on for a while.',
      'The tone was calm and matter-of-fact.',
    ].join('\n\n')
    const { chat, context } = await rows(1, { answers })
    expect((await chat.summaries())[0]?.text).toBe(answers)
    expect(slotText(context, 'summary')).toContain(answers)
  })

  it('S3-067: reports requests, results and failures as events', async () => {
    const { live, chat } = await rows(2, { faults: [null, 'refusal'] })
    expect(live.map(({ kind }) => kind)).toEqual([
      'summarization-started',
      'model-attempt-started',
      'model-attempt-ended',
      'summarization-finished',
      'summarization-started',
      'model-attempt-started',
      'model-attempt-ended',
      'summarization-failed',
    ])
    expect(new Set(live.map(({ conversation }) => conversation))).toEqual(new Set(['c']))
    const kinds = (await chat.events()).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind.startsWith('summary-'))).toEqual([
      'summary-written',
      'summary-failed',
    ])
  })
})

describe('when a row is due', () => {
  it('S3-017 S3-080: not with 15 messages; the context has only recent messages', async () => {
    const up = await setUp({ policy, windowTokens, summarizer: claude })
    const context = lastOf(await talk(up.chat, { from: 0, to: 8 }))
    expect(up.server.requests).toEqual([])
    expect(placesIn(context)).toHaveLength(15)
  })

  it('S3-014 S3-015 S3-016 S3-081 S3-082 S3-083 X3-4: with 21, not with 25 or 35, and with 41', async () => {
    const { contexts, chat } = await rows(3)
    const due = contexts.flatMap(({ decision }, at) =>
      decision.kind === 'compact' ? [2 * at + 1] : [],
    )
    expect(due).toEqual([21, 41, 61])
    const covered = (await chat.summaries()).map(({ covers }) => covers.to)
    expect(covered).toEqual([50, 30, 10])
  })

  it('S3-013 X3-1: with the 20th message, and ten messages stay', async () => {
    const up = await setUp({ policy, windowTokens, summarizer: claude })
    await talk(up.chat, { from: 0, to: 9 })
    expect(up.server.requests).toEqual([])
    await up.chat.append([...exchange(9)])
    const context = await up.chat.context({ model })
    expect(up.server.requests).toHaveLength(1)
    expect(placesIn(context)).toEqual(Array.from({ length: 10 }, (_, at) => 10 + at))
  })
})
