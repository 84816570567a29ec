/** A preview reports what a compaction would do, and changes nothing. */

import { type ConversationHandle, createThroughline, policies, type Store } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { fakeClock } from 'throughline/testing'
import { describe, expect, it } from 'vitest'
import { strictModel, tokenizer } from '../../../../harness/races/strict-model.ts'
import { loadReceipts, loadVersions } from '../../src/derived/receipts.ts'
import {
  loadDigests,
  loadFacts,
  loadLedger,
  loadRequests,
  loadSummaries,
} from '../../src/derived/rows.ts'
import { loadState } from '../../src/derived/state.ts'

const model = 'toy/chat'
const input = { model, system: 'Be brief.' }
const id = 'c' as never

function begin(store: Store, window: number | null = null) {
  const slots = policies.balanced.advanced.slots.map((slot) =>
    slot.kind === 'summary' ? { ...slot, share: { ratio: 0.2 } } : slot,
  )
  const writer = strictModel(window ?? 0)
  const tl = createThroughline({
    ...{ store, tokenizer, clock: fakeClock() },
    policy: { ...policies.balanced, advanced: { slots }, run: { mode: 'blocking' } },
    models: [{ id: model, contextWindowTokens: 4_000 }],
    ...(window !== null && { summarizer: writer.model }),
  })
  return { chat: tl.conversation('c'), calls: writer.shares }
}

async function talk(chat: ConversationHandle, exchanges: number): Promise<void> {
  const words = 'and here are more details that go on for a while. '.repeat(6)
  for (let index = 0; index < exchanges; index += 1)
    await chat.append([
      { role: 'user', content: `Look at part-${index}.ts, ${words}` },
      { role: 'assistant', content: `Part ${index} is fine.` },
    ])
}

/** Everything that a store returns for a conversation. */
async function answersOf(store: Store): Promise<string> {
  const tenant = store.tenant('default' as never)
  const [span, many] = [
    { from: 0, to: 999 },
    { limit: 999, skip: 0, before: null },
  ]
  return JSON.stringify([
    ...[await loadState(tenant, { id, model }), await loadRequests(tenant, { id, limit: 999 })],
    ...[await loadFacts(tenant, { id, span }), await loadLedger(tenant, { id })],
    ...[await loadSummaries(tenant, { id, ...many }), await loadDigests(tenant, { id, span })],
    ...[
      await loadReceipts(tenant, { id, ...many }),
      await loadVersions(tenant, { id, model, limit: 999 }),
    ],
    ...[await tenant.events({ id, after: 0, limit: 999 }), await tenant.read({ id, span })],
  ])
}

describe('U-007: a preview', () => {
  it.each([
    ['in memory', memory],
    ['on SQLite', () => sqlite(':memory:')],
  ])('shows the context of the next compaction, and writes nothing %s', async (_, open) => {
    const store = open()
    const { chat, calls } = begin(store, 16_000)
    await talk(chat, 20)
    await chat.context(input)
    await talk(chat, 1)
    const before = await answersOf(store)
    const preview = await chat.preview(input)
    expect(await answersOf(store)).toBe(before)
    expect(calls).toEqual([])
    expect(preview.decision).toMatchObject({ kind: 'continue', reason: 'below' })
    expect(preview.receipt?.decision).toMatchObject({ kind: 'compact', reason: 'manual' })
    expect(preview.plan).toMatchObject({ covered: { from: 0, to: preview.plan?.line } })
    expect(preview.context.tokens).toBeLessThan(preview.receipt?.tokensBefore ?? 0)
    expect(JSON.stringify(preview.context.messages)).toContain(
      JSON.stringify(preview.ledger).slice(1, 40),
    )
    await store.close()
  })

  it('equals the compaction if rules write the history', async () => {
    const { chat } = begin(memory())
    await talk(chat, 20)
    await chat.context(input)
    const preview = await chat.preview(input)
    await chat.compactNextRequest()
    const context = await chat.context(input)
    expect(context.messages).toEqual(preview.context.messages)
    expect(context.fingerprint).toBe(preview.context.fingerprint)
    const [{ at, durationMs, version, followUp, ...receipt } = { at: 0, durationMs: 0 }] =
      (await chat.receipts()) as readonly [Awaited<ReturnType<typeof chat.receipts>>[number]]
    expect(preview.receipt).toEqual(receipt)
  })

  it('asks models only with `ask`, and records the cost', async () => {
    const store = memory()
    const { chat, calls } = begin(store, 16_000)
    await talk(chat, 20)
    await chat.context(input)
    const before = JSON.parse(await answersOf(store)) as readonly unknown[]
    const preview = await chat.preview({ ...input, ask: true })
    expect(calls.length).toBe(1)
    expect(preview.summary).toContain('The user mentioned')
    expect(preview.receipt?.summarization?.attempts.length).toBe(1)
    const after = JSON.parse(await answersOf(store)) as readonly unknown[]
    // Only the state and the events record that models were asked.
    expect(after.slice(1, 8)).toEqual(before.slice(1, 8))
    const state = await loadState(store.tenant('default' as never), { id, model })
    expect([state?.asking?.spent.length, state?.view]).toEqual([1, null])
    expect(await chat.summaries()).toEqual([])
  })

  it('has no plan if nothing would change', async () => {
    const { chat } = begin(memory())
    expect((await chat.preview(input)).plan).toBeNull()
    await talk(chat, 1)
    const { plan, receipt, summary, context } = await chat.preview(input)
    expect([plan, receipt, summary, context.omitted]).toEqual([null, null, '', []])
    await expect(chat.preview({ ...input, ask: 1 as never })).rejects.toThrow('ask')
    await expect(chat.preview({ ...input, also: 1 } as never)).rejects.toThrow('also')
  })
})
