/** The preset `running-rag`: a running summary of messages older than the last ten. */
import { type Context, policies } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { rowsIn, testFolder } from '../stores/sqlite-file.ts'
import { heldModel, slotsOf, talkSlowly, tokensOf, written } from './background-summaries.ts'
import {
  askedIn,
  blockIn,
  engineOn,
  exchange,
  giant,
  lastOf,
  model,
  placesIn,
  type SetUpOptions,
  setUp,
  slotText,
  talk,
} from './set-up.ts'

const policy = 'running-rag'
// Large, so that only the design's own limit applies.
const windowTokens = 128_000
const set = (options: Partial<SetUpOptions> = {}) => setUp({ policy, windowTokens, ...options })

/** Tokens of summary and messages, as the design counts. */
const conversationTokens = (context: Context) =>
  ['summary', 'earlier', 'recent', 'current'].reduce(
    (sum, kind) => sum + tokensOf(context, kind),
    0,
  )
const places = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

describe('a running summary', () => {
  it('S4-027 S4-028: is written from chunks of at most 4,000 tokens', async () => {
    const up = await set()
    await talkSlowly(up, { from: 0, to: 4, turn: giant(3_000) })
    await talkSlowly(up, { from: 4, to: 12 })
    const words = up.server.requests.map(
      (request) => askedIn(request).content.split(' again').length - 1,
    )
    expect(words.filter((count) => count > 0)).toEqual([3_000, 3_000, 3_000, 3_000])
  })

  it('S4-001 S4-002 S4-008 S4-011 X4-2: is requested above 2,000 tokens; up to there all messages are shown', async () => {
    const filled = async (words: number) => {
      const up = await set()
      await talkSlowly(up, { from: 0, to: 18 })
      const context = lastOf(await talkSlowly(up, { from: 18, to: 19, turn: giant(words) }))
      return { ...up, context }
    }
    const words = 2_000 - conversationTokens((await filled(0)).context)
    const full = await filled(words)
    expect(conversationTokens(full.context)).toBe(2_000)
    expect(full.context.decision.reason).toBe('below')
    expect(placesIn(full.context)).toEqual(places(0, 37))
    const over = await filled(words + 1)
    expect(conversationTokens(over.context)).toBe(2_001)
    expect(over.context.decision).toMatchObject({ kind: 'continue', reason: 'summary-pending' })
    expect((await written(over.chat))[0]?.[0]).toBe(37)
  })

  it('S4-004 S4-010 S4-018: comes first, followed by every message that it does not cover, at least ten', async () => {
    const up = await set()
    const contexts = await talkSlowly(up, { from: 0, to: 40 })
    const rows = await written(up.chat)
    expect(rows.length).toBeGreaterThan(1)
    for (const [at, context] of contexts.entries()) {
      const head = 2 * at + 1
      const covered = rows.findLast(([asked]) => asked < head)?.[1] ?? 0
      expect(placesIn(context)).toEqual(places(covered, head))
      if (covered === 0) continue
      expect(slotsOf(context)).toEqual(['summary', 'recent', 'current'])
      expect(head - covered).toBeGreaterThanOrEqual(10)
    }
    // Ten messages, and the question that the first of them answers.
    expect(rows.map(([asked, covered]) => asked - covered)).toEqual(rows.map(() => 11))
  })

  it('S4-003 S4-012 S4-013 S4-016 S4-017: is written from the previous one and the oldest new messages, in under 200 words', async () => {
    const up = await set()
    await talkSlowly(up, { from: 0, to: 40 })
    const [first, second] = up.server.requests
    const [[, to = 0] = [], [, next = 0] = []] = await written(up.chat)
    expect(first?.question?.model).toBe('gpt-5-mini')
    expect(askedIn(second).system).toMatch(
      /maintaining a running summary .*Update the previous summary with the new interaction details: incorporate the new key details, keeping it under 200 words/,
    )
    expect(askedIn(first).content).toContain('None (start of conversation)')
    const { 0: newest, 1: oldest } = await up.chat.summaries()
    expect(blockIn(second, 'previous summary')).toBe(oldest?.text)
    const named = (text: string) => text.match(/module-\d+\.ts/g)
    const modules = (from: number, end: number) =>
      places(from / 2, end / 2).map((index) => `module-${index}.ts`)
    expect(named(blockIn(first, 'transcript'))).toEqual(modules(0, to))
    expect(named(blockIn(second, 'transcript'))).toEqual(modules(to, next))
    expect(newest?.text).toContain(`from module-0.ts to module-${next / 2 - 1}.ts`)
  })

  it('S4-032 X4-1: covers 40 of 50 messages, and ten stay', async () => {
    const up = await set()
    const turn = (index: number) => {
      const [question, answer] = exchange(index)
      return [question, { ...answer, content: `Part ${index} holds.` }] as const
    }
    await talkSlowly(up, { from: 0, to: 24, turn })
    const [question, answer] = turn(24)
    await up.chat.append(question)
    const before = await up.chat.context({ model })
    expect(await written(up.chat)).toEqual([])
    // The 50th message is the answer that exceeds 2,000 tokens.
    const missing = ' again'.repeat(2_010 - conversationTokens(before))
    await up.chat.append({ ...answer, content: `${answer.content}${missing}` })
    await up.tl.settled()
    expect(await written(up.chat)).toEqual([[50, 40]])
    const after = await up.chat.context({ model })
    expect(placesIn(after)).toEqual(places(40, 50))
    expect(slotText(after, 'summary')).toContain('module-0.ts to module-19.ts')
  })

  it('S4-032: covers 40 of 50 imported messages on request', async () => {
    const up = await set()
    for (const index of places(0, 25)) await up.chat.append([...exchange(index)])
    await up.chat.compactNextRequest()
    expect(placesIn(await up.chat.context({ model }))).toEqual(places(40, 50))
    expect(await written(up.chat)).toEqual([[50, 40]])
  })

  it('S4-020: is requested after a reply, and the next request does not wait for it', async () => {
    const up = await set()
    await talkSlowly(up, { from: 0, to: 18 })
    await up.chat.append(exchange(18)[0])
    await up.chat.context({ model })
    await up.tl.settled()
    expect(up.server.requests).toEqual([])
    await up.chat.append({ role: 'assistant', content: `It holds.${' again'.repeat(300)}` })
    await vi.waitFor(() => expect(up.server.requests).toHaveLength(1))
    await up.tl.settled()
    expect(await written(up.chat)).toEqual([[38, 28]])
  })

  it('S4-004 S4-015 X4-1: leaves ten messages whole even above 2,000 tokens, and covers older ones in batches', async () => {
    const up = await set()
    const contexts = await talkSlowly(up, { from: 0, to: 24, turn: giant(400) })
    // Ten messages, the question that the first of them answers, and a batch of five.
    for (const [at, context] of contexts.entries()) {
      const shown = placesIn(context)
      expect(shown.slice(-10)).toEqual(places(0, 2 * at + 1).slice(-10))
      expect(shown.length).toBeLessThanOrEqual(17)
    }
    expect(contexts.filter(({ decision }) => decision.kind === 'compact').length).toBeGreaterThan(3)
    expect(up.server.requests.length).toBeLessThan(12)
  })

  it('S4-015 X4-4: leaves fewer than ten messages if the window is too small for ten', async () => {
    const up = await set({ windowTokens: 6_000 })
    const contexts = await talkSlowly(up, { from: 0, to: 24, turn: giant(400) })
    for (const context of contexts) {
      expect(context.tokens).toBeLessThanOrEqual(context.available)
      expect(placesIn(context).length).toBeGreaterThanOrEqual(
        Math.min(2, contexts.indexOf(context)),
      )
    }
    expect(up.server.requests.length).toBeLessThan(24)
  })

  it('X4-4: does not ask endlessly if a single message exceeds the limit', async () => {
    const up = await set()
    await talkSlowly(up, { from: 0, to: 6 })
    await talkSlowly(up, { from: 6, to: 7, turn: giant(3_000) })
    const asked = up.server.requests.length
    expect(asked).toBeLessThanOrEqual(2)
    for (let again = 0; again < 5; again += 1) {
      await up.chat.context({ model })
      await up.tl.settled()
    }
    expect(up.server.requests.length).toBeLessThanOrEqual(asked + 1)
    const context = lastOf(await talkSlowly(up, { from: 7, to: 16 }))
    expect(conversationTokens(context)).toBeLessThanOrEqual(2_000)
  })

  it('S4-001 S4-004: shows a first message of more than 2,000 tokens whole until ten messages follow', async () => {
    const up = await set()
    const contexts = await talkSlowly(up, { from: 0, to: 10, turn: giantFirst })
    for (const context of contexts) {
      const isWhole = placesIn(context)[0] === 0
      const [newest] = await up.chat.summaries()
      expect(isWhole || (newest?.covers.to ?? 0) > 0).toBe(true)
    }
    for (const context of contexts.slice(0, 5)) expect(placesIn(context)[0]).toBe(0)
  })
})

const giantFirst = (index: number) => giant(index === 0 ? 3_500 : 0)(index)

describe('a running summary that takes long', () => {
  it('S4-010 B4-2 X4-3: leaves messages that arrive meanwhile shown, without a description by rules', async () => {
    const held = heldModel()
    const up = await set({ summarizer: held.summarizer })
    const contexts = await talk(up.chat, { from: 0, to: 40 })
    expect(conversationTokens(lastOf(contexts))).toBeGreaterThan(3_500)
    expect(placesIn(lastOf(contexts))).toEqual(places(0, 79))
    held.release()
    await up.tl.settled()
    const [[, covered = 0] = []] = await written(up.chat)
    expect(covered).toBe(30)
    const next = lastOf(await talk(up.chat, { from: 40, to: 41 }))
    expect(next.decision).toMatchObject({ kind: 'compact', reason: 'tokens' })
    expect(placesIn(next)).toEqual(places(covered, 81))
    expect(slotText(next, 'summary')).toContain('module-0.ts to module-14.ts')
    // Text by rules would not have the system role.
    expect(next.messages[0]).toMatchObject({ slot: 'summary', role: 'system' })
    await talkSlowly(up, { from: 41, to: 46 })
    const after = lastOf(await talkSlowly(up, { from: 46, to: 47 }))
    expect(conversationTokens(after)).toBeLessThanOrEqual(2_000)
  })
})

describe('a running summary in a store', () => {
  async function twentyTurns() {
    const folder = testFolder()
    onTestFinished(() => folder.remove())
    const file = folder.file('chat.db')
    const up = await set({ store: sqlite(file) })
    // As long as people’s messages are.
    await talk(up.chat, { from: 0, to: 20, turn: giant(50) })
    await up.tl.settled()
    return { ...up, file }
  }

  it('S4-006 S4-007 S4-014 S4-033: is a column of its conversation after 20 turns, with the checkpoint', async () => {
    const { chat, file } = await twentyTurns()
    const [newest] = await chat.summaries()
    expect(newest?.text).toContain('module-0.ts')
    expect(rowsIn(file, 'running_summaries')).toMatchObject([
      {
        id: 'c',
        summary: newest?.text,
        last_summarized_msg_id: (newest?.covers.to ?? 0) - 1,
      },
    ])
  })

  it('S4-005 S4-009 S4-010 B4-2: is loaded by a later process with all messages after it, and not written again', async () => {
    const { chat, server, file } = await twentyTurns()
    const asked = server.requests.length
    const [newest] = await chat.summaries()
    const later = engineOn(server, { policy, windowTokens, store: sqlite(file) })
    onTestFinished(() => later.close())
    const again = later.conversation('c')
    for (let turn = 0; turn < 3; turn += 1) {
      const context = await again.context({ model })
      expect(slotText(context, 'summary')).toContain(newest?.text)
      expect(placesIn(context)).toEqual(places(newest?.covers.to ?? 0, 40))
      await later.settled()
    }
    expect(server.requests).toHaveLength(asked)
  })

  it('S4-014 B4-1: a failure is no summary, and moves no checkpoint', async () => {
    const up = await set({ faults: () => 'error-text' })
    await talkSlowly(up, { from: 0, to: 24 })
    expect(up.server.requests.length).toBeGreaterThan(0)
    expect(await up.chat.summaries()).toEqual([])
    expect((await up.chat.info())?.head).toBe(48)
  })
})

describe('the order of running-rag', () => {
  const system = 'You are a tutor.'
  const retrieved = [{ id: '123', title: 'grammar.pdf', text: 'Wa marks the topic.' }]

  it('S4-019: is the system prompt, the summary as a system message, the recent messages', async () => {
    const up = await set()
    const context = lastOf(
      await talkSlowly(up, { from: 0, to: 24, ask: () => up.chat.context({ model, system }) }),
    )
    expect(slotsOf(context)).toEqual(['system', 'summary', 'recent', 'current'])
    const [summary] = context.messages
    expect(summary).toMatchObject({ role: 'system', slot: 'summary' })
    expect(slotText(context, 'summary')).toMatch(
      /^PREVIOUS CONVERSATION SUMMARY:\n\[summary of messages #0 to #\d+, .* data, .*\]\nUser wanted/,
    )
  })

  it('S4-026 X4-10: has retrieved texts between the system prompt and the summary', async () => {
    const up = await set()
    const ask = () => up.chat.context({ model, system, retrieved })
    const context = lastOf(await talkSlowly(up, { from: 0, to: 24, ask }))
    expect(slotsOf(context)).toEqual(['system', 'retrieved', 'summary', 'recent', 'current'])
    expect(policies[policy].advanced.slots.map(({ kind }) => kind).slice(0, 3)).toEqual([
      'system',
      'retrieved',
      'summary',
    ])
  })
})
