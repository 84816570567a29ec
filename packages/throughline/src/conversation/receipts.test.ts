import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../domain/message.ts'
import { fit } from '../fit/fit.ts'
import type { Store } from '../ports/store.ts'
import { memory } from '../stores/memory.ts'
import { sqlite } from '../stores/sqlite.ts'
import { build } from '../testing/build.ts'
import { createThroughline } from '../throughline.ts'

const models = [{ id: 'small', contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const

/** A clock that advances by a millisecond at each call. */
function ticking() {
  let time = 1_000
  return { now: () => (time += 1) }
}

function begin(store: Store, options: Parameters<typeof createThroughline>[0] = {}) {
  const open = () => createThroughline({ store, models, clock: ticking(), ...options })
  const tl = open()
  return { tl, open, chat: tl.conversation('c') }
}

function work(turns: number, from = 0): readonly MessageInput[] {
  let messages = build()
  for (let turn = from; turn < from + turns; turn += 1)
    messages = messages
      .user(`Look at file ${turn}.`)
      .calls('read', { path: `src/part/${turn}.ts` })
      .result(`const value_${turn} = ${turn}\n`.repeat(30))
      .says(`File ${turn} is fine.`)
  return [...messages.messages]
}

const stores: Readonly<Record<string, () => Store>> = { memory, sqlite: () => sqlite(':memory:') }

for (const [name, openStore] of Object.entries(stores))
  describe(`a receipt in ${name}`, () => {
    it('reports what a compaction did, as the context shows it', async () => {
      const { chat, tl } = begin(openStore())
      await chat.append([...work(20), { role: 'user', content: 'And now?' }])
      const context = await chat.context({ model: 'small', system: 'Be brief.' })
      const [receipt, ...others] = await chat.receipts()
      expect(others).toEqual([])
      const sizeOf = (kind: string) =>
        context.sections.find((section) => section.kind === kind)?.tokens
      expect(receipt).toMatchObject({
        model: 'small',
        epoch: context.epoch,
        cause: 'first',
        decision: context.decision,
        head: 81,
        stubbed: context.omitted.filter(({ why }) => why === 'stubbed').length,
        tokensBefore: null,
        madeBy: { summarizer: 'rules', version: 1 },
        redacted: 0,
        at: expect.any(Number),
        followUp: null,
      })
      expect(receipt?.durationMs).toBeGreaterThan(0)
      expect(receipt?.covered).toEqual({ from: 0, to: receipt?.line })
      const { system, summary, ledger } = receipt?.tokensByKind ?? {}
      expect([system, summary, ledger]).toEqual(['system', 'summary', 'ledger'].map(sizeOf))
      expect(Math.min(system ?? 0, summary ?? 0, ledger ?? 0)).toBeGreaterThan(0)
      const sum = Object.values(receipt?.tokensByKind ?? {}).reduce((all, one) => all + one, 0)
      expect(sum).toBe(receipt?.tokensAfter)
      expect(receipt?.ledger.shown).toBeGreaterThan(0)
      expect(receipt?.ledger.entries).toBeGreaterThanOrEqual(receipt?.ledger.shown ?? 0)
      await tl.close()
    })

    it('is in the commit of its view, and its event is the last of that commit', async () => {
      const { chat, tl } = begin(openStore())
      await chat.append(work(20))
      const { epoch, decision } = await chat.context({ model: 'small' })
      const [receipt] = await chat.receipts()
      expect(receipt?.version).toBe((await chat.info())?.version)
      const events = await chat.events({ after: 2 })
      expect(events.map(({ kind }) => kind)).toEqual([
        'epoch-began',
        'facts-extracted',
        'compaction-finished',
      ])
      expect(events.at(-1)).toMatchObject({
        receipt: receipt?.version,
        model: 'small',
        epoch,
        reason: decision.reason,
        line: receipt?.line,
        tokensBefore: null,
        tokensAfter: receipt?.tokensAfter,
      })
      await tl.close()
    })

    it('covers what the previous one did not, and has the tokens without the compaction', async () => {
      const { chat, tl } = begin(openStore())
      await chat.append(work(20))
      await chat.context({ model: 'small' })
      await chat.append(work(12, 20))
      const { decision } = await chat.context({ model: 'small' })
      expect(decision.kind).toBe('compact')
      const [newest, first] = await chat.receipts()
      expect(newest?.covered).toEqual({ from: first?.line, to: newest?.line })
      expect(newest?.tokensBefore).toBe(decision.figures.tokens)
      expect(newest?.tokensBefore).toBeGreaterThan(newest?.tokensAfter ?? 0)
      expect(await chat.receipts({ limit: 1 })).toEqual([newest])
      expect(await chat.receipts({ before: newest?.version ?? 0 })).toEqual([first])
      await tl.close()
    })

    it('is not written by requests that do not compact', async () => {
      const triggers = [{ kind: 'tokenRatio', at: 0.75, reset: 0.6, of: 'free' }] as const
      const policy = { name: 'early', triggers }
      const { chat, tl } = begin(openStore(), { policy, compaction: 'shadow' })
      expect(await chat.receipts()).toEqual([])
      let isShadow = false
      for (let turn = 0; turn < 20 && !isShadow; turn += 1) {
        await chat.append(work(1, turn).slice(0, 3))
        isShadow = (await chat.context({ model: 'small' })).decision.shadow
      }
      expect(isShadow).toBe(true)
      expect(await chat.receipts()).toEqual([])
      await tl.close()
    })

    it('counts the removed secrets', async () => {
      const { chat, tl } = begin(openStore())
      const secret = `ghp_${'a1B2'.repeat(9)}`
      await chat.append([...build().user(`The key is ${secret}`).says('Noted.'), ...work(20)])
      await chat.context({ model: 'small' })
      const [receipt] = await chat.receipts()
      expect(receipt?.redacted).toBeGreaterThan(0)
      expect(JSON.stringify(receipt)).not.toContain(secret)
      await tl.close()
    })

    it('is written once where two engines compact at once', async () => {
      const { chat, open, tl } = begin(openStore())
      await chat.append(work(20))
      const others = [open(), open()].map((engine) => engine.conversation('c'))
      await Promise.all([chat, ...others].map((one) => one.context({ model: 'small' })))
      expect(await chat.receipts()).toHaveLength(1)
      await tl.close()
    })

    it('is purged with its conversation', async () => {
      const { chat, tl } = begin(openStore())
      await chat.append(work(20))
      await chat.context({ model: 'small' })
      expect((await chat.receipts()).length).toBe(1)
      await chat.history.purge()
      await chat.append(work(1))
      expect(await chat.receipts()).toEqual([])
      await tl.close()
    })

    it('is queried with whole numbers and known options', async () => {
      const { chat, tl } = begin(openStore())
      const bad = { newest: 1 } as never
      await expect(chat.receipts(bad)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
      for (const query of [{ limit: -1 }, { before: 0.5 }])
        await expect(chat.receipts(query)).rejects.toMatchObject({ code: 'SPAN_INVALID' })
      await tl.close()
    })
  })

describe('fit', () => {
  it('reports a compaction like the receipt of a store', async () => {
    const messages = [...work(20), { role: 'user', content: 'And now?' } as const]
    const { chat } = begin(memory())
    await chat.append(messages)
    await chat.context({ model: 'small' })
    const { receipt } = await fit({ model: 'small', models, messages })
    const [kept] = await chat.receipts()
    const { at, durationMs, version, followUp, ...compacted } = kept ?? {}
    expect(receipt.compacted).toEqual(compacted)
  })

  it('reports none where nothing was compacted', async () => {
    const first = await fit({ model: 'small', models, messages: work(20) })
    const messages = [...work(20), { role: 'user', content: 'And now?' } as const]
    const { receipt } = await fit({ model: 'small', models, messages, state: first.state })
    expect([first.receipt.compacted?.cause, receipt.compacted]).toEqual(['first', null])
  })
})
