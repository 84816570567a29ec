/** Summaries by models, and the state of asking them. */

import { newAskState } from '../domain/model-calls.ts'
import type { TenantStore } from '../ports/store.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { given, holds, same } from '../testing/contract.ts'
import { append, hardText, id } from '../testing/store-cases/case.test-support.ts'
import { change } from './changes.test-support.ts'
import { loadSummaries, loadSummaryBefore } from './rows.ts'
import { sampleSummarized, sampleSummary, sampleView } from './samples.test-support.ts'
import { loadState } from './state.ts'

const query = { id, limit: 1_000, skip: 0 }

/**
 * One commit for each, in this order: a summary with that name of all messages before the place.
 */
async function summarize(tenant: TenantStore, places: Readonly<Record<string, number>>) {
  for (const [name, to] of Object.entries(places)) {
    const record = sampleSummary({ id: name, covers: { from: 0, to } })
    await change(tenant, { summarized: sampleSummarized({ record }) })
  }
}

onBothStores('summaries', {
  'keeps a summary in one commit with view and cost, and reports it': async ({ tl, tenant }) => {
    same(await loadSummaries(tenant, query), null, 'summaries of nothing')
    same(await loadSummaryBefore(tenant, { id, place: 9 }), null, 'the summary of nothing')
    await append(tl, 'c', 6)
    same(await loadSummaries(tenant, query), [], 'summaries before the first')
    const summarized = sampleSummarized({ record: sampleSummary({ text: hardText }) })
    await change(tenant, { view: { model: 'm', view: sampleView() }, summarized })
    same(
      await loadSummaries(tenant, query),
      [{ ...summarized.record, withdrawn: false, originalMessageIds: ['c#1', 'c#2', 'c#3'] }],
      'summaries',
    )
    const state = await loadState(tenant, { id, model: 'm' })
    same(state?.asking, summarized.asking, 'what was spent')
    same(
      (await loadState(tenant, { id, model: 'other' }))?.asking,
      summarized.asking,
      'for any model',
    )
    const events = await tenant.events({ id, after: 2, limit: 9 })
    same(
      events?.map(({ kind }) => kind),
      ['epoch-began', 'summary-written'],
      'events',
    )
    same(
      events?.at(-1),
      {
        number: 4,
        at: 9,
        kind: 'summary-written',
        model: 'm',
        reason: 'tokenRatio',
        tokensBefore: 900,
        ratio: 0.9,
        calls: 0,
        costUsd: null,
        durationMs: 5,
        summary: 's1',
        depth: 0,
        generation: 0,
        messages: 3,
        tokensAfter: 350,
      },
      'the last event',
    )
  },
  'keeps the cost of a failed summary, and reports it': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    const asking = { ...newAskState, spent: [{ at: 7, usd: 0.25 }] }
    await change(tenant, { summarized: sampleSummarized({ record: null, asking }) })
    same(await loadSummaries(tenant, query), [], 'summaries')
    same((await loadState(tenant, { id, model: 'm' }))?.asking, asking, 'what was spent')
    await change(tenant, { title: 'T' })
    same((await loadState(tenant, { id, model: 'm' }))?.asking, asking, 'after another commit')
    const kinds = (await tenant.events({ id, after: 2, limit: 9 }))?.map(({ kind }) => kind)
    same(kinds, ['summary-failed', 'conversation-updated'], 'events')
  },
  'lists summaries newest first, and finds the one that covers most before a place': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 20)
    // The line may have moved back and forth.
    await summarize(tenant, { a: 4, b: 12, c: 8, d: 8 })
    const ids = async (skip: number, limit: number) =>
      (await loadSummaries(tenant, { id, skip, limit }))?.map((record) => record.id)
    same(await ids(0, 9), ['d', 'c', 'b', 'a'], 'all')
    same(await ids(1, 2), ['c', 'b'], 'a page')
    same(await ids(4, 2), [], 'after the last')
    const before = async (place: number) =>
      (await loadSummaryBefore(tenant, { id, place }))?.id ?? null
    const found = await Promise.all([3, 4, 7, 8, 11, 12, 99].map(before))
    same(found, [null, 'a', 'a', 'd', 'd', 'b', 'b'], 'before places')
  },
  'lets only a fork extend a summary of shared messages': async ({ tl, store, tenant }) => {
    await append(tl, 'c', 20)
    await summarize(tenant, { a: 4, b: 12 })
    given(await tl.conversation('c').history.fork(8, 'f'))
    given(await tl.conversation('f').history.fork(3, 'g'))
    const fork = 'f' as typeof id
    const before = async (of: typeof id, place: number) =>
      (await loadSummaryBefore(tenant, { id: of, place }))?.id ?? null
    same(await before(fork, 99), 'a', 'of the source, as far as it is shared')
    same(await before('g' as typeof id, 99), null, 'of what it does not share')
    same(await loadSummaries(tenant, { ...query, id: fork }), [], 'its own')
    const own = sampleSummary({ id: 'own', covers: { from: 0, to: 6 } })
    await change(tenant, { summarized: sampleSummarized({ record: own }) }, fork)
    same([await before(fork, 99), await before(fork, 5)], ['own', 'a'], 'its own first')
    same((await loadState(tenant, { id: fork, model: 'm' }))?.asking !== null, true, 'its spending')
    same(await before(id, 7), 'a', 'the source does not see it')
    holds((await loadSummaries(store.tenant('other' as never), query)) === null, 'another tenant')
  },
  'removes summaries with their conversation': async ({ tl, tenant }) => {
    await append(tl, 'c', 5)
    await change(tenant, { summarized: sampleSummarized() })
    await tl.conversation('c').history.purge()
    await append(tl, 'c', 5)
    same(await loadSummaries(tenant, query), [], 'summaries of the new one')
    same(await loadSummaryBefore(tenant, { id, place: 5 }), null, 'the summary of the new one')
    same((await loadState(tenant, { id, model: 'm' }))?.asking, null, 'its spending')
  },
})
