import { setImmediate } from 'node:timers/promises'
import { policies } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { scriptedModel } from 'throughline/testing'
import { summaryMessage } from 'throughline/toolkit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ModelFault } from '../../../../harness/fault-server.ts'
import { testFolder } from '../stores/sqlite-file.ts'
import {
  engineOn,
  exchange,
  giant,
  lastOf,
  longAnswer,
  model,
  narrowModel,
  openaiModel,
  placesIn,
  setUp,
  slotText,
  talk,
  talkUntilAsked,
  toolTurn,
} from './set-up.ts'

const policy = 'rule-digest'
const windowTokens = 2_000

describe('a digest that a model writes', () => {
  it('is awaited for ten seconds, then written by rules', async () => {
    const hangs = scriptedModel(() => new Promise(() => {}))
    const tl = engineOn({ url: '' }, { policy, windowTokens, summarizer: () => hangs })
    const chat = tl.conversation('c')
    // The first request loads code, which takes real time.
    await chat.context({ model })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    onTestFinished(() => void vi.useRealTimers())
    let waits = false
    for (let index = 0; !waits; index += 1) {
      await chat.append(exchange(index))
      waits = true
      void chat.context({ model }).then(() => {
        waits = false
      })
      // Waits for the context or the model call in rounds of the event loop, without time passing.
      while (waits && hangs.asked.length === 0) await setImmediate()
    }
    expect(hangs.asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(9_900)
    await setImmediate()
    expect(waits).toBe(true)
    await vi.advanceTimersByTimeAsync(200)
    while (waits) await setImmediate()
    expect((await chat.summary({ model }))?.content).toContain('--- Summarized Context')
  })

  it('S2-035 S2-039 S2-041: is a summary with its tokens, messages, times and version', async () => {
    const up = await setUp({ policy, windowTokens })
    const { context } = await talkUntilAsked(up)
    const [record] = await up.chat.summaries()
    const meter = await up.tl.meter(model)
    expect(record?.tokens).toBe(meter.text(record?.text ?? ''))
    expect(await up.chat.summary({ model })).toEqual({
      content: `[Previous Conversation Summary]\n${record?.text}`,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      // The tokens that the server reports, which are more than the summary has.
      tokensUsed: record?.tokensUsed,
      messagesIncluded: placesIn(context)[0],
      version: 1,
      withoutTools: true,
    })
    expect(record?.tokensUsed).toBeGreaterThan(record?.tokens ?? Number.NaN)
  })

  it('S2-044 S2-045 S2-046 S2-064 X2-1: is replaced by the next, which covers both and counts up', async () => {
    const up = await setUp({ policy, windowTokens })
    const { next } = await talkUntilAsked(up)
    const first = await up.chat.summary({ model })
    const { context } = await talkUntilAsked(up, { from: next })
    const second = await up.chat.summary({ model })
    expect([first?.version, second?.version]).toEqual([1, 2])
    expect(second?.createdAt).toBe(first?.createdAt)
    expect(second?.updatedAt).toBeGreaterThan(first?.updatedAt ?? Number.NaN)
    expect(second?.tokensUsed).toBeGreaterThan(first?.tokensUsed ?? Number.NaN)
    expect(second?.messagesIncluded).toBe(placesIn(context)[0])
    const last = (placesIn(context)[0] ?? 0) / 2 - 1
    expect(second?.content).toContain(`from module-0.ts to module-${last}.ts`)
    const meter = await up.tl.meter(model)
    expect(meter.text(second?.content ?? '')).toBeLessThanOrEqual(500)
  })

  it('S2-047 S2-048: is null before the first one, then a system message', async () => {
    const up = await setUp({ policy, windowTokens })
    await talk(up.chat, { from: 0, to: 2 })
    expect(await up.chat.summary({ model })).toBeNull()
    expect(summaryMessage(await up.chat.summary({ model }))).toBeNull()
    await talkUntilAsked(up, { from: 2 })
    const [record] = await up.chat.summaries()
    expect(summaryMessage(await up.chat.summary({ model }))).toEqual({
      role: 'system',
      content: `[Previous Conversation Summary]\n${record?.text}`,
    })
  })

  it('S2-049: is missing in a purged conversation and in others', async () => {
    const up = await setUp({ policy, windowTokens })
    await talkUntilAsked(up)
    expect(await up.tl.conversation('other').summary({ model })).toBeNull()
    await up.chat.history.purge()
    expect(await up.chat.summary({ model })).toBeNull()
    expect(await up.chat.summaries()).toEqual([])
  })

  it('S2-068 P0-009 X2-7: is stored, and appears in the requests of another process', async () => {
    const folder = testFolder()
    const store = sqlite(folder.file('kept.db'))
    const up = await setUp({ policy, windowTokens, store })
    await talkUntilAsked(up)
    const options = { policy, windowTokens, store: sqlite(folder.file('kept.db')) } as const
    const other = engineOn(up.server, options)
    const context = await other.conversation('c').context({ model })
    expect(slotText(context, 'summary')).toContain('User wanted to have files read')
    expect(up.server.requests).toHaveLength(1)
    await other.close()
    folder.remove()
  })

  it('S2-069 X2-2: takes at most 500 tokens and a tenth of the budget, whatever the model writes', async () => {
    const endless = longAnswer(400)
    const up = await setUp({ policy, windowTokens, answers: endless })
    const { context } = await talkUntilAsked(up)
    const [record] = await up.chat.summaries()
    const most = Math.min(500, context.available / 10)
    expect(record?.tokens).toBeLessThanOrEqual(most)
    expect(record).toMatchObject({ degraded: true, text: expect.stringMatching(/\.$/) })
    const shown = (await up.chat.summary({ model }))?.content ?? ''
    expect((await up.tl.meter(model)).text(shown)).toBeLessThanOrEqual(most)
  })

  it('S2-008 S2-013 S2-043: is written by rules if no model is passed, or no summarizer is configured', async () => {
    const none = { ...policies[policy], name: 'none', summarizers: [] }
    for (const options of [{ policy, summarizer: null } as const, { policy: none }]) {
      const up = await setUp({ windowTokens, ...options })
      await talk(up.chat, { from: 0, to: 34 })
      expect(await up.chat.summary({ model })).toMatchObject({
        tokensUsed: 0,
        content: expect.stringContaining('--- Summarized Context ('),
      })
      expect(up.server.requests).toEqual([])
      expect(up.live).toEqual([])
    }
  })

  it.each([
    'server-error',
    'hang',
    'error-event',
    'empty',
    'refusal-text',
    'echo',
    'lies',
  ] satisfies readonly ModelFault[])(
    'S2-040 S2-070: is written by rules if the model fails with %s, and nothing is thrown',
    async (fault) => {
      const summarizer = (url: string) => openaiModel(url, 'gpt-5-mini', 100)
      const up = await setUp({ policy, windowTokens, faults: () => fault, summarizer })
      await talkUntilAsked(up)
      expect(await up.chat.summary({ model })).toMatchObject({
        tokensUsed: 0,
        content: expect.stringContaining('--- Summarized Context ('),
      })
      expect(up.live.at(-1)).toMatchObject({ kind: 'summarization-failed' })
    },
  )

  it('S2-061 S2-062 S2-070: has the designed lines if rules write it', async () => {
    const up = await setUp({ policy, windowTokens: windowTokens - 100, faults: () => 'refusal' })
    await talkUntilAsked(up, { turn: toolTurn })
    const { content = '' } = (await up.chat.summary({ model })) ?? {}
    expect(content).toContain(
      '[✓ read_file: File: /app.ts | Lines: 30 | Type: typescript | Exports: port]',
    )
    expect(content).toMatch(
      /\[❌ execute_bash: Command: npm test \| Exit: 1 .*Error: Module not found/,
    )
  })

  it('S2-063 X2-3: is written by rules if nothing fits the model’s window', async () => {
    const up = await setUp({
      policy,
      windowTokens: 60_000,
      summarizer: (url) => narrowModel(url, 900),
    })
    await talk(up.chat, { from: 0, to: 1 })
    await up.chat.append(Array.from({ length: 100 }, (_, at) => giant(2_000)(at)[0]))
    await up.chat.context({ model })
    expect(await up.chat.summary({ model })).toMatchObject({
      tokensUsed: 0,
      content: expect.stringContaining('Summarized Context'),
    })
    expect(up.server.requests).toEqual([])
    expect(up.live.at(-1)).toMatchObject({
      summarization: { why: 'no-model', passedOver: [{ why: 'does-not-fit' }] },
    })
  })

  it('S2-064: is marked as an update from the second time on if rules write it', async () => {
    const up = await setUp({ policy, windowTokens, faults: () => 'refusal' })
    const contexts = await talk(up.chat, { from: 0, to: 60 })
    expect(placesIn(lastOf(contexts))[0]).toBeGreaterThan(0)
    const summary = await up.chat.summary({ model })
    expect(summary?.version).toBeGreaterThanOrEqual(2)
    expect(summary?.content).toContain(`[Update ${summary?.version}]`)
  })
})
