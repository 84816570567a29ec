import { describe, expect, it } from 'vitest'
import type { Context } from '../domain/context.ts'
import type { MessageInput } from '../domain/message.ts'
import { samples, standaloneFormats } from '../extract/secrets/secret-samples.test-support.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { memory } from '../stores/memory.ts'
import { sqlite } from '../stores/sqlite.ts'
import { build } from '../testing/build.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { createThroughline } from '../throughline.ts'
import type { ConversationHandle } from './handle.ts'

const models = [{ id: 'small', contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const

const [format] = standaloneFormats
const secret = format === undefined ? '' : (samples(format, 1)[0]?.value ?? '')

function begin(store: Store) {
  const open = () => createThroughline({ store, models, clock: fakeClock() })
  const tl = open()
  return { tl, open, chat: tl.conversation('c') }
}

/** Names that a user wrote stay visible. */
const here = 'theStart_of_words'
const symbols = Array.from({ length: 200 }, (_, index) => `loadedPart_${index}_of_it`)

/** A session whose beginning is compacted: a file, and more names than a ledger shows. */
function work(): readonly MessageInput[] {
  let messages = build()
    .user(`Look at the parser, from ${here} on.`)
    .calls('read', { path: '/repo/src/parse/words.ts' })
    .result(symbols.join('\n'))
    .says('It reads words.')
  for (let turn = 0; turn < 16; turn += 1)
    messages = messages
      .user(`Look at file ${turn}.`)
      .calls('read', { path: `src/other/${turn}.ts` })
      .result('a line of it\n'.repeat(60))
      .says(`File ${turn} is fine.`)
  return [...messages.messages]
}

const call = (callId: string, name: string, input: object): MessageInput => ({
  role: 'assistant',
  content: [{ type: 'tool-call', callId, name, input }],
})
const result = (callId: string, output: string): MessageInput => ({
  role: 'tool',
  content: [{ type: 'tool-result', callId, output }],
})
const textOf = ({ messages }: Context) => JSON.stringify(messages)

/** Compacted, with two names that the context does not show. */
async function compacted(chat: ConversationHandle) {
  await chat.append(work())
  const text = textOf(await chat.context({ model: 'small' }))
  expect(text).toContain(here)
  const [gone = '', shownAgain = ''] = symbols.filter((name) => !text.includes(name)).toReversed()
  expect([gone, shownAgain]).not.toContain('')
  return { gone, shownAgain }
}

/** Sends so many more requests. */
async function ask(chat: ConversationHandle, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await chat.context({ model: 'small' })
}

const newestFollowUp = async (chat: ConversationHandle) => (await chat.receipts()).at(-1)?.followUp

const stores: Readonly<Record<string, () => Store>> = { memory, sqlite: () => sqlite(':memory:') }

for (const [name, openStore] of Object.entries(stores))
  describe(`the follow-up in ${name}`, () => {
    it('reports which files were opened again, what was recalled, and which names were needed', async () => {
      const { chat, tl } = begin(openStore())
      const { gone, shownAgain } = await compacted(chat)
      await chat.append([
        { role: 'user', content: `What about ${shownAgain}?` },
        call('x1', 'read', { path: 'src/parse/words.ts' }),
        result('x1', 'words'),
        call('x2', 'mcp__throughline__recall', { query: 'the parser of words' }),
        result('x2', 'nothing'),
        call('x3', 'Read', { file_path: '/repo/src/parse/words.ts' }),
        result('x3', 'words'),
        call('x4', 'read', { path: 'src/never/seen.ts' }),
        result('x4', 'new'),
        {
          role: 'assistant',
          content: `I used ${here}, ${gone}, ${shownAgain} and never_seen_before.`,
        },
      ])
      await chat.expand('#2')
      await chat.expand('#2')
      await ask(chat, 30)
      await tl.settled()
      const followUp = await newestFollowUp(chat)
      expect(followUp).toMatchObject({
        looked: { from: 68, to: 78 },
        reopenedFiles: 1,
        recalls: 3,
        recalled: [
          { tool: 'recall', by: 'model', about: 'the parser of words', seq: 71, times: 1 },
          { tool: 'expand', by: 'program', about: '#2', seq: null, times: 2 },
        ],
        names: { missing: [gone] },
      })
      const times = followUp?.reopened.map((file) => [file.times, ...file.places])
      // One file under two names, as the calls have it.
      expect(times).toEqual([[2, 70, 74]])
      const { needed = 0, shown = 0 } = followUp?.names ?? {}
      expect(needed - shown).toBe(1)
      expect(shown).toBeGreaterThanOrEqual(1)
      const event = (await chat.events()).at(-1)
      expect(event).toMatchObject({
        kind: 'receipt-completed',
        reopenedFiles: 1,
        recalls: 3,
        namesNeeded: needed,
        namesShown: shown,
      })
      await tl.close()
    })

    it('is added once, with the thirtieth request after the compaction', async () => {
      const { chat, tl } = begin(openStore())
      await compacted(chat)
      await ask(chat, 29)
      await tl.settled()
      expect(await newestFollowUp(chat)).toBeNull()
      await ask(chat, 1)
      await tl.settled()
      const first = await newestFollowUp(chat)
      expect(first).toMatchObject({ names: { needed: 0, missing: [] }, reopened: [] })
      await chat.append(call('x', 'read', { path: '/repo/src/parse/words.ts' }))
      await ask(chat, 40)
      await tl.settled()
      expect(await newestFollowUp(chat)).toEqual(first)
      const completed = (await chat.events()).filter(({ kind }) => kind === 'receipt-completed')
      expect(completed).toHaveLength(1)
      await tl.close()
    })

    it('counts messages that were expanded before a restart', async () => {
      const store = openStore()
      const { chat, tl, open } = begin(store)
      await compacted(chat)
      await chat.expand({ from: 0, to: 4 })
      await tl.settled()
      const restarted = open()
      const again = restarted.conversation('c')
      await again.expand('#0-#3')
      await ask(again, 30)
      await restarted.settled()
      expect((await newestFollowUp(again))?.recalled).toEqual([
        { tool: 'expand', by: 'program', about: '#0-#3', seq: null, times: 2 },
      ])
      await restarted.close()
    })

    it('is added once where several engines find it due', async () => {
      const { chat, tl, open } = begin(openStore())
      await compacted(chat)
      await ask(chat, 29)
      const engines = [open(), open(), open()]
      await Promise.all(engines.map((one) => one.conversation('c').context({ model: 'small' })))
      await Promise.all(engines.map((one) => one.settled()))
      expect(await newestFollowUp(chat)).not.toBeNull()
      const completed = (await chat.events()).filter(({ kind }) => kind === 'receipt-completed')
      expect(completed).toHaveLength(1)
      await tl.close()
    })

    it('contains no secret, whoever wrote it', async () => {
      const { chat, tl } = begin(openStore())
      await compacted(chat)
      await chat.append([
        call('x', 'recall', { query: `where is ${secret}` }),
        result('x', 'nowhere'),
        call('y', 'expand', { anchor: `token=${secret}` }),
        result('y', 'nothing'),
      ])
      await ask(chat, 30)
      await tl.settled()
      const followUp = await newestFollowUp(chat)
      expect(secret).not.toBe('')
      expect(followUp?.recalls).toBe(2)
      expect(JSON.stringify(followUp)).not.toContain(secret)
      await tl.close()
    })

    it('moves no version, so that no request has to be built again', async () => {
      const { chat, tl } = begin(openStore())
      await compacted(chat)
      await ask(chat, 29)
      const before = (await chat.info())?.version
      await ask(chat, 1)
      await tl.settled()
      expect(await newestFollowUp(chat)).not.toBeNull()
      expect((await chat.info())?.version).toBe(before)
      await tl.close()
    })
  })

describe('a request that finds a follow-up due', () => {
  /** A store with one replaced command. */
  const planted = (store: Store, plant: (tenant: TenantStore) => Partial<TenantStore>): Store => ({
    ...store,
    tenant: (id) => ({ ...store.tenant(id), ...plant(store.tenant(id)) }),
  })

  it('does not wait for it', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let asked = 0
    const store = planted(memory(), (tenant) => ({
      load: async (query) => {
        const [row] = query.rows ?? []
        if (row?.kind !== 'receipt' || row.boundTo === undefined) return tenant.load(query)
        asked += 1
        await held
        return tenant.load(query)
      },
    }))
    const { chat, tl } = begin(store)
    await compacted(chat)
    await ask(chat, 35)
    const settled = tl.settled()
    await ask(chat, 1)
    release()
    await settled
    expect(asked).toBeGreaterThan(0)
    expect(await newestFollowUp(chat)).not.toBeNull()
  })

  it('does not fail with it, and it is retried thirty requests later', async () => {
    let failures = 0
    const store = planted(memory(), (tenant) => ({
      record: (command) => {
        if (command.onlyIf === undefined) return tenant.record(command)
        failures += 1
        return failures === 1 ? Promise.reject(new Error('no')) : tenant.record(command)
      },
    }))
    const { chat, tl } = begin(store)
    await compacted(chat)
    await ask(chat, 30)
    await tl.settled()
    await ask(chat, 29)
    await tl.settled()
    expect([failures, await newestFollowUp(chat)]).toEqual([1, null])
    await ask(chat, 1)
    await tl.settled()
    expect(failures).toBe(2)
    expect(await newestFollowUp(chat)).not.toBeNull()
  })

  it('gets it even where an expansion could not be recorded', async () => {
    const store = planted(memory(), (tenant) => ({
      record: (command) =>
        command.annotate === undefined ? tenant.record(command) : Promise.reject(new Error('busy')),
    }))
    const { chat, tl } = begin(store)
    await compacted(chat)
    expect((await chat.expand('#2'))?.messages.map(({ seq }) => seq)).toEqual([1, 2])
    await ask(chat, 30)
    await tl.close()
    await expect(chat.receipts()).rejects.toMatchObject({ code: 'STORE_CLOSED' })
  })
})
