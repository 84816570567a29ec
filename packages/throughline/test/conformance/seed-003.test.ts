/** The design with rows of plain text: what it assumes of its store, and its risks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createThroughline, type MessageInput } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { faultyDriver } from '../../src/testing/faulty-driver.test-support.ts'
import { copyDatabase, rowsIn, testFolder } from '../stores/sqlite-file.ts'
import { talkSlowly } from '../summaries/background-summaries.ts'
import {
  engineOn,
  exchange,
  lastOf,
  model,
  placesIn,
  setUp,
  slotText,
  talk,
} from '../summaries/set-up.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const policy = 'rolling-rows'
const windowTokens = 16_000

describe('a provider that is busy', () => {
  it.each(['rate-limit', 'overloaded'] as const)(
    'S3-105 K-006 XC-10: is asked once more after %s, and what it writes is taken',
    async (fault) => {
      const pace = { retryAfterMs: 20 }
      const up = await setUp({ policy, windowTokens, faults: [fault], pace })
      await talkSlowly(up, { from: 0, to: 13 })
      expect(up.server.requests).toHaveLength(2)
      const [row] = await up.chat.summaries()
      expect(row?.account.attempts).toMatchObject([
        { outcome: { kind: 'failed' } },
        { outcome: { kind: 'accepted' } },
      ])
      expect(row?.account.attempts[1]?.waitedMs).toBeGreaterThanOrEqual(20)
    },
  )

  it('S3-105 K-006 XC-10: and not forever: the conversation continues without it', async () => {
    const pace = { retryAfterMs: 20 }
    const up = await setUp({ policy, windowTokens, faults: () => 'rate-limit', pace })
    const context = lastOf(await talkSlowly(up, { from: 0, to: 14 }))
    expect(await up.chat.summaries()).toEqual([])
    expect(up.server.requests.length).toBeLessThanOrEqual(4)
    expect(placesIn(context).at(-1)).toBe(26)
    expect((await up.chat.info())?.head).toBe(28)
  })
})

describe('a row whose messages change', () => {
  it.each(['edit', 'remove'] as const)(
    'S3-114: is void after %s, and written again',
    async (how) => {
      const up = await setUp({ policy, windowTokens })
      await talkSlowly(up, { from: 0, to: 14 })
      const [before] = await up.chat.summaries()
      expect(before?.text).toContain('module-0.ts')
      const other: MessageInput = { role: 'user', content: 'Please look at module-77.ts.' }
      await (how === 'edit' ? up.chat.history.edit('#0', other) : up.chat.history.remove('#0'))
      expect(await up.chat.summaries()).toEqual([])
      const context = await up.chat.context({ model })
      expect(JSON.stringify(context.messages)).not.toContain('module-0.ts')
      await talkSlowly(up, { from: 14, to: 26 })
      const [after] = await up.chat.summaries()
      expect(after?.id).not.toBe(before?.id)
      expect(after?.text).not.toContain('module-0.ts')
    },
  )

  it('S3-114: stays if the edited message comes after it', async () => {
    const up = await setUp({ policy, windowTokens })
    await talkSlowly(up, { from: 0, to: 14 })
    const rows = await up.chat.summaries()
    expect(rows).toHaveLength(1)
    await up.chat.history.edit('#26', { role: 'user', content: 'Something else.' })
    expect(await up.chat.summaries()).toEqual(rows)
  })
})

describe('the log under the rows', () => {
  it('K-001: has what users say before anybody answers, in SQLite and in order', async () => {
    const file = folder.file('order.db')
    const tl = createThroughline({ store: sqlite(file) })
    const [question, answer] = exchange(0)
    await tl.conversation('c').append(question)
    const other = createThroughline({ store: sqlite(file) })
    const read = async () => Array.fromAsync(other.conversation('c').messages())
    expect((await read()).map(({ role }) => role)).toEqual(['user'])
    await tl.conversation('c').append(answer)
    expect(await read()).toMatchObject([
      { seq: 0, role: 'user', parts: [{ text: question.content }], createdAt: expect.any(Number) },
      { seq: 1, role: 'assistant', parts: [{ text: answer.content }] },
    ])
    await Promise.all([tl.close(), other.close()])
    expect(rowsIn(file, 'messages')).toHaveLength(2)
  })

  it('K-002: keeps every word and every row, until somebody deletes them', async () => {
    const file = folder.file('kept.db')
    const up = await setUp({ policy, windowTokens, store: sqlite(file) })
    await talkSlowly(up, { from: 0, to: 24 })
    const messages = await Array.fromAsync(up.chat.messages())
    expect(messages.map(({ parts }) => parts)).toMatchObject(
      Array.from({ length: 24 }, (_, at) => exchange(at))
        .flat()
        .map(({ content }) => [{ text: content }]),
    )
    const first = new TextDecoder().decode((await up.chat.original(0)) ?? undefined)
    expect(first).toContain(String(exchange(0)[0].content))
    const rows = await up.chat.summaries()
    expect(rows.length).toBeGreaterThan(1)
    const later = engineOn(up.server, { policy, windowTokens, store: sqlite(file) })
    expect(await later.conversation('c').summaries()).toEqual(rows)
    await later.conversation('c').history.purge()
    await later.close()
    for (const table of ['messages', 'derived', 'conversations'])
      expect(rowsIn(file, table)).toEqual([])
  })

  it('K-005: goes with its rows or not at all, whatever fails on the way', async () => {
    const file = folder.file('whole.db')
    const up = await setUp({ policy, windowTokens, store: sqlite(file) })
    await talkSlowly(up, { from: 0, to: 14 })
    await up.tl.close()
    const outcomes = new Set<string>()
    for (let at = 1, fired = true; fired; at += 2) {
      const copy = folder.file(`whole-${at}.db`)
      copyDatabase(file, copy)
      const driver = faultyDriver(new DatabaseSync(copy))
      const tl = createThroughline({ store: sqlite(driver) })
      await tl.conversation('c').info()
      driver.arm({ at, when: 'before', resultCode: 10 })
      await tl
        .conversation('c')
        .history.purge()
        .catch(() => null)
      fired = driver.fired
      driver.arm(null)
      await tl.close()
      const left = ['conversations', 'messages', 'derived'].map(
        (table) => rowsIn(copy, table).length > 0,
      )
      outcomes.add(left.join())
    }
    expect([...outcomes].toSorted()).toEqual(['false,false,false', 'true,true,true'])
  })
})

describe('what the design asks of those who install it', () => {
  it('S3-116: adds no package, and no message to the log', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(text)
    expect(Object.keys(peerDependencies)).not.toEqual([])
    for (const name of Object.keys(peerDependencies))
      expect(peerDependenciesMeta[name], name).toEqual({ optional: true })
    const up = await setUp({ policy, windowTokens })
    const context = lastOf(await talk(up.chat, { from: 0, to: 14 }))
    await up.tl.settled()
    expect(await up.chat.summaries()).toHaveLength(1)
    expect((await up.chat.info())?.head).toBe(28)
    const roles = (await Array.fromAsync(up.chat.messages())).map(({ role }) => role)
    expect(new Set(roles)).toEqual(new Set(['user', 'assistant']))
    expect(slotText(context, 'recent')).not.toContain('Earlier in this conversation')
  })
})
