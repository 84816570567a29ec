/** When the preset `rolling-rows` has a row written: after the requests, in the background. */
import { policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import { claude, slotsOf, talkSlowly, written } from './background-summaries.ts'
import { blockIn, exchange, lastOf, model, placesIn, type SetUpOptions, setUp } from './set-up.ts'

const policy = 'rolling-rows'
const set = (options: Partial<SetUpOptions> = {}) =>
  setUp({ policy, windowTokens: 16_000, summarizer: claude, ...options })

/** The places from one to another. */
const places = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const textOf = (index: number) =>
  exchange(index)
    .map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`.trim())
    .join('\n\n')

describe('a row', () => {
  it('S3-017 S3-077 S3-080: is not written for 5 or 15 messages; the context has only recent messages', async () => {
    const up = await set()
    const contexts = await talkSlowly(up, { from: 0, to: 8 })
    expect(up.server.requests).toEqual([])
    expect(await up.chat.summaries()).toEqual([])
    expect(placesIn(lastOf(contexts.slice(0, 3)))).toEqual(places(0, 5))
    expect(placesIn(lastOf(contexts))).toEqual(places(0, 15))
    expect(slotsOf(lastOf(contexts))).toEqual(['recent', 'current'])
  })

  it('S3-003 S3-013 S3-039 S3-040 X3-1: is written with the 20th message, not with the 19th', async () => {
    const up = await set()
    const contexts = await talkSlowly(up, { from: 0, to: 9 })
    await up.chat.append(exchange(9)[0])
    expect((await up.chat.context({ model })).decision.reason).toBe('below')
    await up.tl.settled()
    expect((await up.chat.info())?.head).toBe(19)
    expect(contexts.slice(1).map(({ decision }) => decision.reason)).toEqual(Array(8).fill('below'))
    expect(up.server.requests).toEqual([])
    await up.chat.append(exchange(9)[1])
    await up.tl.settled()
    expect(await written(up.chat)).toEqual([[20, 10]])
    expect(placesIn(await up.chat.context({ model }))).toEqual(places(10, 20))
  })

  it('S3-001 S3-016 S3-037 S3-038 S3-078 S3-081 S3-090: covers the first ten of twenty messages, and is there with 25', async () => {
    const up = await set()
    const contexts = await talkSlowly(up, { from: 0, to: 13 })
    expect(await written(up.chat)).toEqual([[20, 10]])
    expect(contexts[10]?.decision).toMatchObject({ kind: 'compact', reason: 'messages' })
    expect(placesIn(lastOf(contexts))).toEqual(places(10, 25))
    expect(policies[policy]).toMatchObject({
      triggers: [{ kind: 'messages', since: 20 }],
      keepRecent: { messages: 10 },
    })
  })

  it('S3-014 S3-015 S3-082 S3-083 X3-4: is written not with 25 or 35 but with 40 messages, so by 45 and 50, and every 20 after that', async () => {
    const up = await set()
    await talkSlowly(up, { from: 0, to: 18 })
    expect((await up.chat.info())?.head).toBe(36)
    expect(await written(up.chat)).toEqual([[20, 10]])
    await talkSlowly(up, { from: 18, to: 25 })
    expect((await up.chat.info())?.head).toBe(50)
    const rows = [
      [20, 10],
      [40, 30],
    ]
    expect(await written(up.chat)).toEqual(rows)
    await talkSlowly(up, { from: 25, to: 33 })
    expect(await written(up.chat)).toEqual([...rows, [60, 50]])
    expect(up.server.requests).toHaveLength(3)
  })

  it('S3-010 S3-042 U-012 X3-3: leaves each message in a row or shown at any time, with the last ten messages shown', async () => {
    const up = await set()
    for (const context of await talkSlowly(up, { from: 0, to: 36 })) {
      const shown = placesIn(context)
      const [first = 0] = shown
      const head = (shown.at(-1) ?? 0) + 1
      expect(shown).toEqual(places(first, head))
      expect(shown.length).toBeGreaterThanOrEqual(Math.min(head, 10))
      const ends = (await written(up.chat)).map(([, covered]) => covered)
      expect([0, ...ends]).toContain(first)
    }
  })

  it('S3-015 X3-4: covers 40 messages of an imported conversation with 50', async () => {
    const up = await set()
    for (let index = 0; index < 25; index += 1) await up.chat.append([...exchange(index)])
    const first = await up.chat.context({ model })
    expect(placesIn(first)).toEqual(places(0, 50))
    await up.tl.settled()
    expect(await written(up.chat)).toEqual([[50, 40]])
    expect(placesIn(await up.chat.context({ model }))).toEqual(places(40, 50))
  })

  it('S3-042: is written only from the messages between the last row and the window', async () => {
    const up = await set()
    await talkSlowly(up, { from: 0, to: 23 })
    const [first, second] = up.server.requests
    const textBetween = (from: number, to: number) => places(from, to).map(textOf).join('\n\n')
    expect(blockIn(first, 'transcript')).toBe(textBetween(0, 5))
    expect(blockIn(second, 'transcript')).toBe(textBetween(5, 15))
    expect(up.server.requests).toHaveLength(2)
  })

  it('S3-041 S3-044: is returned as the newest summary, or null before there is one', async () => {
    const up = await set()
    expect(await up.chat.summaries({ limit: 1 })).toEqual([])
    expect(await up.chat.info()).toBeNull()
    await talkSlowly(up, { from: 0, to: 23 })
    expect(await up.chat.summaries({ limit: 1 })).toMatchObject([{ covers: { from: 0, to: 30 } }])
    expect((await up.chat.info())?.head).toBe(46)
  })
})
