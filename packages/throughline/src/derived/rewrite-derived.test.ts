/**
 * Rows that were derived from a message are removed when it is edited, removed or purged; others
 * stay.
 */

import type { ConversationId } from '../domain/ids.ts'
import { fail, ok } from '../domain/result.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { build } from '../testing/build.ts'
import { given, same } from '../testing/contract.ts'
import { type Bench, casesFor, id, tenantOf } from '../testing/store-cases/case.test-support.ts'
import { change, commitFacts, everywhere, factTexts, left, rowsOf } from './changes.test-support.ts'
import { completeReceipt, loadReceipts, loadWaitingReceipt } from './receipts.ts'
import { loadDigests, loadLedger, loadSummaries } from './rows.ts'
import {
  sampleDigest,
  sampleDigested,
  sampleFollowUp,
  sampleReceipt,
  sampleSummarized,
  sampleSummary,
  sampleView,
} from './samples.test-support.ts'
import { loadState } from './state.ts'

const history = sampleView().history

/** A view for each model, named by what it depends on. */
const views = {
  'line 3': sampleView({ line: 3, keeps: [1], stubs: [], history: null }),
  'line 6': sampleView({ line: 6, keeps: [1], stubs: [], history: null }),
  'ledger 6': sampleView({ line: 2, stubs: [], history: history && { ...history, ledgerTo: 6 } }),
  'stub 5': sampleView({ line: 0, keeps: [], history: history && { ...history, ledgerTo: 3 } }),
}

async function derive(store: Store, to: ConversationId = id): Promise<TenantStore> {
  const tenant = tenantOf(store)
  await commitFacts(tenant, rowsOf(to, 0, 1, 2, 3, 4, 5, 6, 7), to)
  for (const [model, view] of Object.entries(views))
    await change(tenant, { view: { model, view } }, to)
  for (const head of [3, 6]) {
    const record = sampleSummary({ id: `to ${head}`, covers: { from: 0, to: head - 1 }, head })
    await change(tenant, { summarized: sampleSummarized({ record }) }, to)
    const { summarization } = sampleSummarized()
    const marks = [{ kind: 'unknown-name', text: 'said' }] as const
    const receipt = sampleReceipt({
      head,
      line: head - 1,
      summarization: { ...summarization, marks },
    })
    await change(tenant, { receipt: { receipt, left, due: 3 } }, to)
  }
  for (const seq of [2, 4])
    await change(tenant, { digested: sampleDigested({ record: sampleDigest({ seq }) }) }, to)
  return tenant
}

async function derived(tenant: TenantStore, of: ConversationId = id) {
  const models: string[] = []
  for (const model of Object.keys(views))
    if ((await loadState(tenant, { id: of, model }))?.view) models.push(model)
  const receipts = (await loadReceipts(tenant, { id: of, limit: 9, before: null })) ?? []
  const waiting = await loadWaitingReceipt(tenant, { id: of, recorded: 99 })
  return {
    facts: (await factTexts(tenant, { id: of }))?.map((text) => Number(text.split(' ').at(-1))),
    ledger: (await loadLedger(tenant, { id: of })) !== null,
    views: models,
    summaries: (await loadSummaries(tenant, { id: of, limit: 9, skip: 0 }))?.map((one) => one.id),
    digests: (await loadDigests(tenant, { id: of, span: everywhere }))?.map(({ seq }) => seq),
    words: receipts.map(({ head, summarization }) => [head, summarization?.marks.length]),
    waiting: waiting?.receipt.head ?? null,
  }
}

const everything = {
  facts: [0, 1, 2, 3, 4, 5, 6, 7],
  ledger: true,
  views: Object.keys(views),
  summaries: ['to 6', 'to 3'],
  digests: [2, 4],
  words: [
    [6, 1],
    [3, 1],
  ],
  waiting: 3,
}

const begin = (tl: Bench['tl']) =>
  tl
    .conversation('c')
    .append([
      ...build()
        .user('a')
        .says('b')
        .user('c')
        .says('d')
        .user('e')
        .calls('read')
        .result('f')
        .says('g'),
    ])

const ways = {
  edit: (tl: Bench['tl'], seq: number) =>
    tl.conversation('c').history.edit(seq, { role: 'user', content: 'other' }),
  remove: (tl: Bench['tl'], seq: number) => tl.conversation('c').history.remove(seq),
  purge: async (tl: Bench['tl'], seq: number) => {
    const { kind } = await tl.conversation('c').history.purgeMessage(seq)
    return kind === 'purged' ? ok(null) : fail({ kind })
  },
}

onBothStores('rows derived from rewritten messages', {
  ...casesFor(Object.entries(ways), ([how, rewrite]) => ({
    [`forgets what was derived from a message: ${how}`]: async ({ tl, store }) => {
      await begin(tl)
      const tenant = await derive(store)
      same(await derived(tenant), everything, 'before')
      given<unknown>(await rewrite(tl, 4))
      same(
        await derived(tenant),
        {
          facts: [0, 1, 2, 3, 5, 6, 7],
          ledger: false,
          views: ['line 3', 'stub 5'],
          summaries: ['to 3'],
          digests: [2],
          words: [
            [6, 0],
            [3, 1],
          ],
          waiting: 3,
        },
        'behind the first ones',
      )
      given<unknown>(await rewrite(tl, 2))
      same(
        await derived(tenant),
        {
          facts: [0, 1, 3, 5, 6, 7],
          ledger: false,
          views: [],
          summaries: [],
          digests: [],
          words: [
            [6, 0],
            [3, 0],
          ],
          waiting: null,
        },
        'before all',
      )
    },
  })),
  'removes the facts of a result when its call has changed': async ({ tl, store }) => {
    await begin(tl)
    const tenant = await derive(store)
    given(await tl.conversation('c').history.remove(5))
    const { facts, views: kept } = await derived(tenant)
    same(facts, [0, 1, 2, 3, 4, 7], 'the rows')
    same(kept, ['line 3'], 'the views')
  },
  'removes a follow-up computed from changed messages, and accepts none of an old history': async ({
    tl,
    tenant,
  }) => {
    await begin(tl)
    for (const head of [3, 5])
      await change(tenant, { receipt: { receipt: sampleReceipt({ head }), left, due: 1 } })
    const waiting = await loadWaitingReceipt(tenant, { id, recorded: 9 })
    const { serial = -1, rewrites = -1, receipt } = waiting ?? {}
    const { version = -1 } = receipt ?? {}
    const followUp = sampleFollowUp({ looked: { from: 3, to: 5 } })
    const command = { id, serial, rewrites, version, followUp, at: 1 }
    given(await tl.conversation('c').history.edit(7, { role: 'assistant', content: 'G' }))
    same(await completeReceipt(tenant, command), { kind: 'rewritten' }, 'of an old history')
    const now = { ...command, rewrites: rewrites + 1 }
    same(await completeReceipt(tenant, now), { kind: 'recorded' }, 'of this one')
    const known = async () =>
      (await loadReceipts(tenant, { id, limit: 9, before: null }))?.map(
        (one) => one.followUp !== null,
      )
    given(await tl.conversation('c').history.remove(6))
    same(await known(), [false, true], 'looked only at earlier messages')
    given(await tl.conversation('c').history.remove(4))
    same(await known(), [false, false], 'looked at what has changed')
  },
  'keeps for a fork the facts that its source extracted from messages of a third conversation':
    async ({ tl, tenant }) => {
      await begin(tl)
      const middle = given(await tl.conversation('c').history.fork(4, 'f'))
      await middle.append({ role: 'user', content: 'x' })
      await commitFacts(tenant, rowsOf('f', 0, 1, 2, 3, 4), middle.id)
      const reader = given(await middle.history.fork(5, 'g'))
      const read = () => factTexts(tenant, { id: reader.id })
      same((await read())?.length, 5, 'before')
      given(await middle.history.edit(2, { role: 'user', content: 'other' }))
      same(await read(), ['f 0', 'f 1', 'f 2', 'f 3', 'f 4'], 'after an edit of its source')
    },
  'keeps the derived rows of forks, and removes them where they share a purged message': async ({
    tl,
    store,
  }) => {
    await begin(tl)
    given(await tl.conversation('c').history.fork(8, 'f'))
    const fork = 'f' as ConversationId
    const tenant = await derive(store)
    await derive(store, fork)
    given(await tl.conversation('c').history.remove(2))
    same(await derived(tenant, fork), everything, 'in the fork')
    const reader = given(await tl.conversation('f').history.fork(8, 'g'))
    given(await tl.conversation('f').history.edit(1, { role: 'assistant', content: 'B' }))
    const shared = await factTexts(tenant, { id: reader.id })
    same(shared?.length, 8, 'what a fork reads of its source')
    await tl.conversation('f').history.purgeMessage(4, { forks: 'purge' })
    const { facts, summaries } = await derived(tenant, fork)
    same([facts, summaries], [[0, 2, 3, 5, 6, 7], []], 'what the fork has lost')
    same((await derived(tenant)).facts, [0, 1, 3, 5, 6, 7], 'what the source has lost')
    same(
      (await factTexts(tenant, { id: reader.id }))?.map((text) => text.split(' ').at(-1)).join(),
      '0,1,2,3,5,6,7',
      'what a fork of the fork reads',
    )
  },
})
