/** Rows of the preset `rolling-rows` while the conversation continues. */
import type { MessageInput } from 'throughline'
import { describe, expect, it, vi } from 'vitest'
import type { ModelFault } from '../../../../harness/fault-server.ts'
import { claude, type HeldModel, heldModel, talkSlowly, written } from './background-summaries.ts'
import {
  exchange,
  lastOf,
  model,
  placesIn,
  type SetUpOptions,
  setUp,
  slotText,
  talk,
} from './set-up.ts'

const set = (options: Partial<SetUpOptions> = {}) =>
  setUp({ policy: 'rolling-rows', windowTokens: 16_000, summarizer: claude, ...options })

/** Talks up to the message that makes the first row due; the row is then being written. */
async function whileWritten(options: Partial<SetUpOptions> = {}, held: HeldModel = heldModel()) {
  const up = await set({ ...options, summarizer: held.summarizer })
  const contexts = await talk(up.chat, { from: 0, to: 13 })
  await vi.waitFor(() => expect(held.waiting()).toBe(1))
  return { ...up, held, context: lastOf(contexts) }
}

describe('while a row is written', () => {
  it('S3-007 S3-032 S3-097: the request and its reply are complete', async () => {
    const { chat, tl, server, held, context } = await whileWritten()
    expect(context.decision).toMatchObject({ kind: 'continue', reason: 'summary-pending' })
    expect(placesIn(context)).toHaveLength(25)
    expect((await chat.info())?.head).toBe(26)
    // The request for the row has not even been sent.
    expect(server.requests).toEqual([])
    expect(await chat.summaries()).toEqual([])
    held.release()
    await tl.settled()
    expect(await written(chat)).toEqual([[20, 10]])
  })

  it('S3-033 S3-016 B3-3: messages and requests continue, and the row does not count messages that arrive meanwhile', async () => {
    const { chat, tl, held } = await whileWritten()
    const contexts = await talk(chat, { from: 13, to: 16 })
    expect(contexts.map(({ decision }) => decision.reason)).toEqual(
      Array(3).fill('summary-pending'),
    )
    expect(placesIn(lastOf(contexts))).toHaveLength(31)
    held.release()
    await tl.settled()
    expect(await written(chat)).toEqual([[20, 10]])
    const next = lastOf(await talk(chat, { from: 16, to: 17 }))
    expect(next.decision.kind).toBe('compact')
    expect(placesIn(next)).toEqual(Array.from({ length: 23 }, (_, at) => 10 + at))
    expect(slotText(next, 'summary')).toContain('module-0.ts to module-4.ts')
  })

  it('S3-035 S3-060 S3-098 S3-107 B3-5: rapid messages have one row written at a time, then one more check', async () => {
    const { chat, tl, server, held } = await whileWritten()
    const rapid = Array.from({ length: 12 }, (_, at) => exchange(13 + at))
    await Promise.all(
      rapid.map(async (messages) => {
        await chat.append([...messages])
        await chat.context({ model })
      }),
    )
    expect(held.waiting()).toBe(1)
    held.release()
    await tl.settled()
    expect(held.most()).toBe(1)
    expect((await chat.info())?.head).toBe(50)
    // The row is shown, and the 30 messages since its request make another one due.
    expect((await chat.context({ model })).decision.kind).toBe('compact')
    expect((await chat.context({ model })).decision.reason).toBe('summary-pending')
    await tl.settled()
    const rows = [
      [20, 10],
      [50, 40],
    ]
    expect(await written(chat)).toEqual(rows)
    expect(server.requests).toHaveLength(2)
  })

  it('S3-035: other conversations have their rows written', async () => {
    const { tl, held } = await whileWritten()
    const other = tl.conversation('other')
    await talk(other, { from: 0, to: 13 })
    await vi.waitFor(() => expect(held.waiting()).toBe(2))
    held.release()
    await tl.settled()
    expect(await written(other)).toEqual([[20, 10]])
  })
})

describe('a row that is due', () => {
  it('S3-074 S3-075: is requested as soon as the reply is stored, not with the next request', async () => {
    const heads: (number | undefined)[] = []
    const held: HeldModel = heldModel(async () => {
      heads.push((await up.chat.info())?.head)
    })
    const up = await set({ summarizer: held.summarizer })
    await talkSlowly(up, { from: 0, to: 8 })
    await up.chat.append(exchange(8)[0])
    expect((await up.chat.context({ model })).decision.reason).toBe('below')
    await up.tl.settled()
    expect(heads).toEqual([])
    // The 18th message and two more, which make a row due.
    await up.chat.append(replyWithTool)
    await vi.waitFor(() => expect(held.waiting()).toBe(1))
    expect(heads).toEqual([20])
    held.release()
    await up.tl.settled()
    const kinds = (await up.chat.events({ limit: 1_000 })).map(({ kind }) => kind)
    expect(kinds.lastIndexOf('messages-appended')).toBeLessThan(kinds.indexOf('summary-written'))
    expect(kinds).not.toContain('epoch-began')
  })

  it('S3-012 S3-067: reports its start and its end, and nothing in between', async () => {
    const up = await set()
    await talkSlowly(up, { from: 0, to: 13 })
    expect(up.server.requests).toMatchObject([{ ended: 'whole', body: { stream: true } }])
    expect(up.live.map(({ kind }) => kind)).toEqual([
      'summarization-started',
      'model-attempt-started',
      'model-attempt-ended',
      'summarization-finished',
    ])
  })
})

describe('a row that fails', () => {
  it.each([
    'server-error',
    'overloaded',
    'reset',
    'empty',
    'refusal',
    'html-body',
  ] satisfies readonly ModelFault[])(
    'S3-022 S3-034 S3-088 S3-099: leaves the message and its request unchanged: %s',
    async (fault) => {
      const up = await set({ faults: () => fault })
      const due = lastOf(await talk(up.chat, { from: 0, to: 13 }))
      expect(due.decision.reason).toBe('summary-pending')
      expect(placesIn(due)).toHaveLength(25)
      await up.tl.settled()
      expect(up.live.at(-1)?.kind).toBe('summarization-failed')
      expect(await up.chat.summaries()).toEqual([])
      const next = lastOf(await talk(up.chat, { from: 13, to: 14 }))
      // Messages without a row are shown as long as they fit the window.
      expect(placesIn(next)).toHaveLength(27)
      expect(slotText(next, 'summary')).toBe('')
      expect((await up.chat.info())?.head).toBe(28)
    },
  )

  it('S3-034 S3-099 S3-103: does not delay anything if it hangs', async () => {
    const up = await set({ faults: () => 'hang' })
    const contexts = await talk(up.chat, { from: 0, to: 16 })
    expect(lastOf(contexts).decision.reason).toBe('summary-pending')
    expect(placesIn(lastOf(contexts))).toHaveLength(31)
    await vi.waitFor(() => expect(up.server.requests).toMatchObject([{ ended: null }]))
  })
})

const replyWithTool: readonly MessageInput[] = [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', callId: 'look', name: 'look', input: { part: 8 } }],
  },
  { role: 'tool', content: [{ type: 'tool-result', callId: 'look', output: 'It holds.' }] },
  { role: 'assistant', content: 'It was looked at.' },
]
