import { describe, expect, it, onTestFinished } from 'vitest'
import { loadFacts, loadLedger } from '../derived/rows.ts'
import { conversationId, tenantId } from '../domain/ids.ts'
import type { MessageInput } from '../domain/message.ts'
import type { Store } from '../ports/store.ts'
import { memory } from '../stores/memory.ts'
import { sqlite } from '../stores/sqlite.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { createThroughline } from '../throughline.ts'

const model = 'small'
const models = [{ id: model, contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const
const id = conversationId('c')

function open(store: Store) {
  const tl = createThroughline({ store, models, clock: fakeClock() })
  onTestFinished(() => tl.close())
  return { tl, chat: tl.conversation('c'), tenant: store.tenant(tenantId('default')) }
}

const turn = (at: number, words = 60): readonly MessageInput[] => [
  {
    role: 'user',
    content: `Turn ${at}: never touch src/part-${at % 7}.ts, ${'word '.repeat(words)}`,
  },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', callId: `c${at}`, name: 'read', input: { path: `src/${at}.ts` } },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-result', callId: `c${at}`, output: `const a = ${at}` }] },
]

const span = { from: 0, to: 99_999 }

/** Contexts of the same conversation, with background work after each request or never. */
async function contexts(store: Store, turns: number, waits: boolean): Promise<readonly string[]> {
  const { tl, chat } = open(store)
  const shown: string[] = []
  for (let at = 0; at < turns; at += 1) {
    await chat.append(turn(at))
    shown.push(JSON.stringify((await chat.context({ model })).messages))
    if (waits) await tl.settled()
  }
  return shown
}

describe('facts extracted after a request', () => {
  it('give the same contexts as facts extracted in it', async () => {
    const prepared = await contexts(memory(), 60, true)
    expect(await contexts(memory(), 60, false)).toEqual(prepared)
    expect(await contexts(sqlite(':memory:'), 60, true)).toEqual(prepared)
  })

  it('are stored before the next request, with the calls of their results', async () => {
    const { tl, chat, tenant } = open(memory())
    for (let at = 0; at < 12; at += 1) await chat.append(turn(at))
    await chat.context({ model })
    await chat.append(turn(12))
    await chat.context({ model })
    await tl.settled()
    const rows = (await loadFacts(tenant, { id, span })) ?? []
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 39 }, (_, seq) => seq))
    expect(rows.at(-1)?.digest?.text).toContain('read src/12.ts')
  })

  it('wait for more messages while the next compaction is far', async () => {
    const store = memory()
    const large = { id: 'large', contextWindowTokens: 24_576 }
    const tl = createThroughline({ store, models: [large], clock: fakeClock() })
    onTestFinished(() => tl.close())
    const chat = tl.conversation('c')
    for (let at = 0; at < 40; at += 1) await chat.append(turn(at, 300))
    await chat.compact({ model: large.id })
    const extractedTo: (number | undefined)[] = []
    for (let at = 40; at < 49; at += 1) {
      await chat.append(turn(at, 300))
      await chat.context({ model: large.id })
      await tl.settled()
      const rows = await loadFacts(store.tenant(tenantId('default')), { id, span })
      extractedTo.push(rows?.length)
    }
    expect(extractedTo).toEqual([123, 123, 123, 132, 132, 132, 132, 144, 144])
  })

  it('are not made for a conversation that is far from a compaction', async () => {
    const { tl, chat, tenant } = open(memory())
    await chat.append(turn(0))
    await chat.context({ model })
    await tl.settled()
    expect(await loadFacts(tenant, { id, span })).toEqual([])
  })

  it('follow an edit: no context shows the old text as a fact', async () => {
    const { tl, chat, tenant } = open(memory())
    for (let at = 0; at < 30; at += 1) await chat.append(turn(at))
    await chat.context({ model })
    await tl.settled()
    await chat.history.edit(0, { role: 'user', content: 'Turn 0: never touch src/changed.ts' })
    await chat.context({ model })
    await tl.settled()
    const rows = (await loadFacts(tenant, { id, span })) ?? []
    expect(rows).toHaveLength(90)
    expect(JSON.stringify(rows[0])).toContain('src/changed.ts')
    expect(JSON.stringify(rows[0])).not.toContain('src/part-0.ts')
  })
})

describe('the facts of a long log that was never compacted', () => {
  const long = (turns: number) => Array.from({ length: turns }, (_, at) => turn(at, 2_000)).flat()

  it('are those of its first and newest messages, and the background adds the others', async () => {
    const { tl, chat, tenant } = open(memory())
    await chat.append(long(150))
    await chat.context({ model })
    const { from = 0 } = (await loadLedger(tenant, { id })) ?? {}
    expect(from).toBeGreaterThan(100)
    expect((await chat.receipts({ limit: 1 }))[0]?.ledger.from).toBe(from)
    await tl.settled()
    const ledger = await loadLedger(tenant, { id })
    expect(ledger?.from).toBeUndefined()
    expect(ledger?.to).toBe(450)
    expect(await loadFacts(tenant, { id, span })).toHaveLength(450)
    // The same as if all had been extracted in order.
    const { tl: other, chat: inOrder, tenant: its } = open(memory())
    for (let at = 0; at < 150; at += 1) {
      await inOrder.append(turn(at, 2_000))
      await inOrder.context({ model })
      await other.settled()
    }
    await inOrder.compactNextRequest()
    await inOrder.context({ model })
    expect(await loadFacts(its, { id, span })).toEqual(await loadFacts(tenant, { id, span }))
  })

  it('are the same where two processes add them at the same time', async () => {
    const store = memory()
    const one = open(store)
    const two = open(store)
    await one.chat.append(long(150))
    await one.chat.context({ model })
    expect((await loadLedger(one.tenant, { id }))?.from).toBeGreaterThan(100)
    await two.chat.append(turn(150))
    await two.chat.context({ model })
    await Promise.all([one.tl.settled(), two.tl.settled()])
    expect((await loadLedger(one.tenant, { id }))?.from).toBeUndefined()
    expect(await loadFacts(one.tenant, { id, span })).toHaveLength(453)
    const next = async ({ chat }: typeof one) =>
      JSON.stringify((await chat.context({ model })).messages)
    expect(await next(one)).toBe(await next(two))
  })
})
