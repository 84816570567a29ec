import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { memory } from '../stores/memory.ts'
import { sqlite } from '../stores/sqlite.ts'
import { given } from '../testing/contract.ts'
import { createThroughline } from '../throughline.ts'
import type { ConversationHandle } from './handle.ts'
import {
  answers,
  bytesOf,
  longTalk,
  model,
  models,
  question,
  recalledIn,
  says,
  talkedLong,
  zeppelin,
  zeppelinAt,
} from './recalled.test-support.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-recalled-'))
afterAll(() => rmSync(folder, { recursive: true }))

const nothing = { role: 'user', content: 'Nothing.' } as const
const ask = (chat: ConversationHandle) => chat.context({ model })

describe.each([
  ['memory', () => memory()],
  ['sqlite', () => sqlite(':memory:')],
] as const)('what was recalled, in a history that changes (%s)', (_, open) => {
  it('is restored byte for byte where a compaction is undone or restored', async () => {
    const { chat } = await talkedLong({ store: open() })
    const before = await says(chat, question)
    expect(recalledIn(before)).toHaveLength(1)
    await answers(chat, 'It lands behind the quarry. '.repeat(20))
    await chat.compactNextRequest()
    const compacted = await says(chat, 'Which flag was it, the orange one?')
    expect(compacted.epoch).toBeGreaterThan(before.epoch)
    const [current] = await chat.history.versions()
    given(await chat.history.undo())
    const undone = await ask(chat)
    expect(recalledIn(undone)[0]).toBe(recalledIn(before)[0])
    expect(bytesOf(undone)).toContain(JSON.stringify(before.messages[0]))
    given(await chat.history.restore(current?.version ?? 0))
    expect(bytesOf(await ask(chat))).toBe(bytesOf(compacted))
  })

  it('stays where a person writes the summary', async () => {
    const { chat } = await talkedLong({ store: open() })
    const before = await says(chat, question)
    given(await chat.history.editSummary({ model, text: 'They walked through the yard.' }))
    const edited = await ask(chat)
    expect(edited.epoch).toBeGreaterThan(before.epoch)
    expect(bytesOf(edited)).toContain('They walked through the yard.')
    expect(recalledIn(edited)).toEqual(recalledIn(before))
  })

  it.each([
    ['edit', (chat: ConversationHandle) => chat.history.edit(zeppelinAt, nothing)],
    ['remove', (chat: ConversationHandle) => chat.history.remove(zeppelinAt)],
    ['purge', (chat: ConversationHandle) => chat.history.purgeMessage(zeppelinAt)],
  ])('is removed with a message that it quotes: %s', async (_name, change) => {
    const { chat } = await talkedLong({ store: open() })
    await says(chat, question)
    await change(chat)
    const after = await ask(chat)
    expect(bytesOf(after)).not.toContain(zeppelin)
    expect((await chat.recall('zeppelin')).pieces.map(({ text }) => text).join()).not.toContain(
      zeppelin,
    )
    await answers(chat)
    expect(bytesOf(await says(chat, `Again: ${question}`))).not.toContain(zeppelin)
  })

  it('is not inherited by a fork, which recalls for itself', async () => {
    const { tl, chat } = await talkedLong({ store: open() })
    await says(chat, question)
    given(await chat.history.fork(121, 'f'))
    const fork = tl.conversation('f')
    expect(recalledIn(await ask(fork))).toEqual([])
    given(await chat.history.fork(121, 'g'))
    expect(recalledIn(await says(tl.conversation('g'), question)).join()).toContain(zeppelin)
    given(await chat.history.fork(10, 'short'))
    const short = tl.conversation('short')
    await short.append(longTalk({}).slice(10))
    expect(recalledIn(await says(short, question)).join()).not.toContain(zeppelin)
  })
})

describe('two engines on one file', () => {
  it('show the same, whichever engine recalled it', async () => {
    const file = join(folder, 'two.db')
    const open = () => createThroughline({ models, store: sqlite(file) })
    const [one, other] = [open().conversation('c'), open().conversation('c')]
    await one.append(longTalk())
    const asked = await says(one, question)
    expect(recalledIn(asked)).toHaveLength(1)
    expect(bytesOf(await ask(other))).toBe(bytesOf(asked))
    await answers(other)
    const more = await says(other, 'Which flag was it, the orange one?')
    expect(more.brokenBy).toBeNull()
    expect(bytesOf(await ask(one))).toBe(bytesOf(more))
    await answers(one)
    await one.append([{ role: 'user', content: 'And who comes back to row 33?' }])
    const [left, right] = await Promise.all([ask(one), ask(other)])
    expect(bytesOf(left)).toBe(bytesOf(right))
    expect(bytesOf(await ask(one))).toBe(bytesOf(left))
  })
})
