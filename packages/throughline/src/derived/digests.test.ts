/** Digests that models wrote of single messages. */

import { onBothStores } from '../testing/both-stores.test-support.ts'
import { given, holds, same } from '../testing/contract.ts'
import { append, id } from '../testing/store-cases/case.test-support.ts'
import { change, everywhere } from './changes.test-support.ts'
import { loadDigests } from './rows.ts'
import { sampleDigest, sampleDigested, sampleSummarized } from './samples.test-support.ts'
import { loadState } from './state.ts'

const query = { id, span: everywhere }

onBothStores('digests', {
  'keeps the digest of a message with its cost, and reports it in an event': async ({
    tl,
    tenant,
  }) => {
    same(await loadDigests(tenant, query), null, 'digests of nothing')
    await append(tl, 'c', 6)
    same(await loadDigests(tenant, query), [], 'digests before the first')
    const digested = sampleDigested()
    await change(tenant, { digested })
    same(await loadDigests(tenant, query), [digested.record], 'digests')
    same((await loadState(tenant, { id, model: 'm' }))?.asking, digested.asking, 'what was spent')
    const [event] = (await tenant.events({ id, after: 2, limit: 9 })) ?? []
    const figures = { seq: 2, degraded: false, calls: 4, costUsd: 0.25 }
    same(event, { number: 3, at: 9, kind: 'message-digested', ...figures }, 'the event')
    await change(tenant, { title: 'T' })
    same(
      (await loadState(tenant, { id, model: 'm' }))?.asking,
      digested.asking,
      'after another commit',
    )
  },
  'keeps the cost of a digest that failed': async ({ tl, tenant }) => {
    await append(tl, 'c', 3)
    await change(tenant, { summarized: sampleSummarized({ record: null }) })
    const digested = sampleDigested({ record: null, seq: 1 })
    await change(tenant, { digested })
    same(await loadDigests(tenant, query), [], 'digests')
    same((await loadState(tenant, { id, model: 'm' }))?.asking, digested.asking, 'what was spent')
    const event = (await tenant.events({ id, after: 3, limit: 9 }))?.at(-1)
    const figures = { seq: 1, degraded: null, calls: 4, costUsd: 0.25 }
    same(event, { number: 4, at: 9, kind: 'message-digested', ...figures }, 'the event')
  },
  'returns digests in order for the requested places, the last one of each': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 20)
    for (const [seq, text] of [
      [9, 'nine'],
      [2, 'old'],
      [14, 'fourteen'],
      [2, 'two'],
    ] as const)
      await change(tenant, { digested: sampleDigested({ record: sampleDigest({ seq, text }) }) })
    const texts = async (from: number, to: number) =>
      (await loadDigests(tenant, { id, span: { from, to } }))?.map(({ text }) => text)
    same(await texts(0, 99), ['two', 'nine', 'fourteen'], 'all')
    same(await texts(2, 14), ['two', 'nine'], 'from its beginning, without its end')
    same(await texts(3, 9), [], 'of no message')
  },
  'lets only a fork read the digests of shared messages': async ({ tl, store, tenant }) => {
    await append(tl, 'c', 20)
    const digest = (seq: number, text: string, of = id) =>
      change(tenant, { digested: sampleDigested({ record: sampleDigest({ seq, text }) }) }, of)
    for (const seq of [1, 4, 12]) await digest(seq, `${seq}`)
    given(await tl.conversation('c').history.fork(8, 'f'))
    given(await tl.conversation('f').history.fork(3, 'g'))
    const fork = 'f' as typeof id
    const texts = async (of: typeof id) =>
      (await loadDigests(tenant, { ...query, id: of }))?.map(({ text }) => text)
    same(await texts(fork), ['1', '4'], 'of the source, as far as it is shared')
    same(await texts('g' as typeof id), ['1'], 'of the source of its source')
    await append(tl, 'f', 9)
    await digest(4, 'own 4', fork)
    await digest(12, 'own 12', fork)
    same(await texts(fork), ['1', 'own 4', 'own 12'], 'its own first')
    same(await texts(id), ['1', '4', '12'], 'the source does not see them')
    holds((await loadDigests(store.tenant('other' as never), query)) === null, 'another tenant')
  },
  'removes digests with their conversation': async ({ tl, tenant }) => {
    await append(tl, 'c', 5)
    await change(tenant, { digested: sampleDigested() })
    await tl.conversation('c').history.purge()
    await append(tl, 'c', 5)
    same(await loadDigests(tenant, query), [], 'digests of the new one')
  },
})
