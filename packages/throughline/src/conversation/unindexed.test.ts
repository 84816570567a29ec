import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../domain/message.ts'
import type { Store } from '../ports/store.ts'
import { memory } from '../stores/memory.ts'
import { sqlite } from '../stores/sqlite.ts'
import { createThroughline } from '../throughline.ts'
import { runRecallTool } from './recall-tool.ts'
import { recalledIn } from './recalled.test-support.ts'

const length = 6_000
const unsearched = { from: 0, to: length - 4_000 }
const model = 'small'
const models = [{ id: model, contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const
const contents: Readonly<Record<number, string>> = {
  10: 'The oldest code word is abalone.',
  1500: 'The middle code word is bergamot.',
  5000: 'The newest code word is cinnabar.',
}

const talk = (): readonly MessageInput[] =>
  Array.from({ length }, (_, seq) => ({
    role: seq % 2 === 0 ? 'user' : 'assistant',
    content: contents[seq] ?? `Entry ${seq}: the gate was opened.`,
  }))

/**
 * A log that was just imported. The store accepts no index yet, so that a test can search without
 * one.
 */
async function imported(store: Store) {
  let isStopped = true
  const indexed: number[] = []
  const watched: Store = {
    close: () => store.close(),
    tenant: (id) => {
      const tenant = store.tenant(id)
      const index: typeof tenant.index = async (command) => {
        if (isStopped) return { kind: 'moved', indexedTo: command.from }
        indexed.push(command.to)
        return tenant.index(command)
      }
      // The methods of a store are on its prototype.
      return new Proxy(tenant, {
        get: (target, key) =>
          key === 'index' ? index : Reflect.get(target, key, target)?.bind?.(target),
      })
    },
  }
  const tl = createThroughline({ store: watched, models })
  await tl.conversation('c').append(talk())
  return {
    tl,
    chat: tl.conversation('c'),
    indexed,
    /** From now on the store accepts an index. */
    reopen: () => {
      isStopped = false
      return createThroughline({ store: watched, models })
    },
  }
}

const open = () => sqlite(':memory:')

describe('a long log that is not indexed yet', () => {
  it.each([
    ['memory', memory],
    ['sqlite', open],
  ])(
    'is searched from its newest messages on, and says what was not searched (%s)',
    async (_, of) => {
      const { chat } = await imported(of())
      const newest = await chat.recall('cinnabar')
      expect(newest.pieces[0]?.text).toContain('cinnabar')
      expect(newest.unsearched).toEqual(unsearched)
      const oldest = await chat.recall('abalone')
      expect(oldest.pieces).toEqual([])
      expect(oldest.unsearched).toEqual(unsearched)
      expect(await runRecallTool(chat, 'recall', { query: 'abalone' })).toBe(
        '[nothing was found; other words may find it]\n' +
          '[not searched yet: #0-#1997; these messages are still being indexed]',
      )
    },
  )

  it('is searched whole once it is indexed', async () => {
    const { tl, chat, reopen } = await imported(open())
    reopen()
    await chat.recall('anything')
    await tl.settled()
    for (const word of ['abalone', 'bergamot', 'cinnabar']) {
      const { pieces, unsearched } = await chat.recall(word)
      expect([pieces[0]?.text, unsearched]).toEqual([expect.stringContaining(word), null])
    }
  })

  it('is searched for recall, and the context reports what was not searched', async () => {
    const { chat } = await imported(open())
    const next = { role: 'user', content: 'What is the newest code word, cinnabar?' } as const
    const [text] = recalledIn(await chat.context({ model, next }))
    expect(text).toContain('The newest code word is cinnabar.')
    expect(text).toMatch(/\[not searched yet: #0-#\d+; these messages are still being indexed\]/)
  })

  it('is indexed when the store is opened again, without a request', async () => {
    const { indexed, reopen } = await imported(open())
    await reopen().settled()
    expect(indexed.at(-1)).toBe(length)
  })

  it('does not delay closing while it is indexed, and keeps the finished part', async () => {
    const { indexed, reopen } = await imported(open())
    const tl = reopen()
    while (indexed.length < 3) await new Promise((resolve) => setTimeout(resolve, 0))
    await tl.close()
    expect(indexed.length).toBeLessThan(20)
  })
})
