import { describe, expect, it } from 'vitest'
import { defaults } from '../defaults-data.ts'
import { loadFacts, loadLedger } from '../derived/rows.ts'
import { conversationId, tenantId } from '../domain/ids.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { MessageInput } from '../domain/message.ts'
import { foldLedger } from '../flow/history/fold-ledger.ts'
import type { Store } from '../ports/store.ts'
import { memory } from '../stores/memory.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { changesIn } from '../testing/typed-commits.test-support.ts'
import { createThroughline } from '../throughline.ts'

const models = [{ id: 'small', contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const
const id = conversationId('c')

/** A store that counts reads of the ledger, and records writes. */
function watched(inner: Store = memory()) {
  const seen = { reads: 0, written: [] as (Ledger | null)[] }
  const store: Store = {
    ...inner,
    tenant: (tenant) => {
      const kept = inner.tenant(tenant)
      return {
        ...kept,
        load: (query) => {
          if (query.rows?.[0]?.kind === 'ledger') seen.reads += 1
          return kept.load(query)
        },
        commit: (command) => {
          const { facts } = changesIn(command)
          if (facts !== undefined) seen.written.push(facts.ledger)
          return kept.commit(command)
        },
      }
    },
  }
  return { store, seen }
}

const open = (store: Store) => createThroughline({ store, models, clock: fakeClock() })

const turn = (at: number): readonly MessageInput[] => [
  { role: 'user', content: `Turn ${at}: never touch src/part-${at % 7}.ts, ${'word '.repeat(40)}` },
  { role: 'assistant', content: `I will look at src/file-${at}.ts. ${'word '.repeat(60)}` },
]

type Chat = ReturnType<ReturnType<typeof open>['conversation']>

async function talk(chat: Chat, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 1) {
    await chat.append(turn(at))
    await chat.context({ model: 'small' })
  }
}

const shownBy = async (chat: Chat) =>
  JSON.stringify((await chat.context({ model: 'small' })).messages)

describe('the ledger of a conversation', () => {
  it('is read once by a process, and written once in many messages', async () => {
    const { store, seen } = watched()
    const chat = open(store).conversation('c')
    for (let at = 0; at < 180; at += 4) {
      await chat.append([0, 1, 2, 3].flatMap((more) => turn(at + more)))
      await chat.context({ model: 'small' })
    }
    expect(seen.reads).toBe(1)
    const written = seen.written.flatMap((ledger) => (ledger === null ? [] : [ledger.to]))
    expect(seen.written.length).toBeGreaterThan(10)
    expect(written.length).toBeGreaterThan(1)
    expect(written.length).toBeLessThan(4)
    for (const [at, to] of written.entries())
      if (at > 0) expect(to - (written[at - 1] ?? 0)).toBeGreaterThan(defaults.ledgerMessages)
  })

  it('with its newer rows equals the fold of all rows', async () => {
    const { store } = watched()
    await talk(open(store).conversation('c'), 0, 60)
    const tenant = store.tenant(tenantId(defaults.tenant))
    const rows = (await loadFacts(tenant, { id, span: { from: 0, to: 999 } })) ?? []
    const kept = await loadLedger(tenant, { id })
    if (kept === null) throw new Error('no ledger')
    const to = rows.length
    expect(kept.to).toBeLessThan(to)
    const newer = rows.filter(({ seq }) => seq >= kept.to)
    const whole = foldLedger({ to: 0, entries: [] }, rows, to)
    expect(foldLedger(kept, newer, to)).toEqual(whole)
  })

  it('is the same for a later process', async () => {
    const one = watched()
    const chat = open(one.store).conversation('c')
    const two = watched()
    for (let at = 0; at < 80; at += 10) {
      await talk(chat, at, at + 10)
      // Each time another process with an empty cache.
      await talk(open(two.store).conversation('c'), at, at + 10)
    }
    expect(one.seen.reads).toBe(1)
    expect(two.seen.reads).toBeGreaterThan(5)
    expect(await shownBy(chat)).toBe(await shownBy(open(two.store).conversation('c')))
  })

  it('of two alternating processes is that of a single one', async () => {
    const shared = watched()
    const [ours, theirs] = [open(shared.store), open(shared.store)]
    const alone = open(watched().store).conversation('c')
    for (let at = 0; at < 60; at += 3) {
      await talk(at % 2 === 0 ? ours.conversation('c') : theirs.conversation('c'), at, at + 3)
      await talk(alone, at, at + 3)
    }
    for (const engine of [ours, theirs])
      expect(await shownBy(engine.conversation('c'))).toBe(await shownBy(alone))
  })

  it('is read again after another commit', async () => {
    const { store, seen } = watched()
    const chat = open(store).conversation('c')
    await talk(chat, 0, 40)
    await chat.pin(0)
    await talk(chat, 40, 60)
    expect(seen.reads).toBe(2)
  })

  it('of a fork is its own, and that of its source stays', async () => {
    const { store } = watched()
    const engine = open(store)
    const chat = engine.conversation('c')
    await talk(chat, 0, 40)
    const outcome = await chat.history.fork(50, 'fork')
    if (!outcome.ok) throw new Error('no fork')
    await talk(outcome.value, 100, 130)
    await talk(chat, 40, 70)
    const fresh = open(store)
    expect(await shownBy(fresh.conversation('fork'))).toBe(await shownBy(outcome.value))
    expect(await shownBy(fresh.conversation('c'))).toBe(await shownBy(chat))
    expect(await shownBy(chat)).not.toContain('file-129.ts')
  })
})
