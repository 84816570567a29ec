/** Facts of forks, which share those of their source, and facts after a purge. */

import type { ConversationId } from '../domain/ids.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { given, same } from '../testing/contract.ts'
import { append, id } from '../testing/store-cases/case.test-support.ts'
import { change, commitFacts, everywhere, factTexts, rowsOf } from './changes.test-support.ts'
import { loadFacts, loadLedger } from './rows.ts'
import { sampleLedger } from './samples.test-support.ts'

onBothStores('facts of forks', {
  'shows a fork the facts of its source before its point, also those extracted later': async ({
    tl,
    tenant,
  }) => {
    const f = 'f' as ConversationId
    await append(tl, 'c', 5)
    await commitFacts(tenant, rowsOf('source', 0, 1, 3, 4))
    given(await tl.conversation('c').history.fork(3, 'f'))
    same(await factTexts(tenant, { id: f }), ['source 0', 'source 1'], 'a new fork')
    same(await loadLedger(tenant, { id: f }), null, 'its ledger')
    await append(tl, 'f', 3)
    await commitFacts(tenant, rowsOf('source again', 1, 2))
    const shared = ['source 0', 'source again 1', 'source again 2']
    same(await factTexts(tenant, { id: f }), shared, 'facts that the source extracted later')
    const ledger = sampleLedger({ to: 5 })
    await change(tenant, { facts: { rows: rowsOf('fork', 3, 5), ledger } }, f)
    same(await factTexts(tenant, { id: f }), [...shared, 'fork 3', 'fork 5'], 'with its own')
    same(await loadLedger(tenant, { id: f }), ledger, 'a ledger of its own')
    const source = [...shared, 'source 3', 'source 4']
    same(await factTexts(tenant), source, 'what the source has')
    same(await loadLedger(tenant, { id }), sampleLedger(), "the source's ledger")
  },
  'lets a fork write facts of shared messages for itself only': async ({ tl, tenant }) => {
    const f = 'f' as ConversationId
    await append(tl, 'c', 4)
    await commitFacts(tenant, rowsOf('source', 0, 2, 3))
    given(await tl.conversation('c').history.fork(3, 'f'))
    await commitFacts(tenant, rowsOf('fork', 1, 2), f)
    same(await factTexts(tenant, { id: f }), ['source 0', 'fork 1', 'fork 2'], 'the fork')
    same(await factTexts(tenant), ['source 0', 'source 2', 'source 3'], 'the source')
    const query = { id: f, newestFirst: true, limit: 2 }
    same(await factTexts(tenant, query), ['fork 2', 'fork 1'], 'the newest two of the fork')
    same(await factTexts(tenant, { id: f, limit: 1 }), ['source 0'], 'the first of the fork')
  },
  'reads the facts of forks of forks across their points, in either order': async ({
    tl,
    tenant,
  }) => {
    const [f, g, early] = ['f', 'g', 'early'] as [ConversationId, ConversationId, ConversationId]
    await append(tl, 'c', 4)
    await commitFacts(tenant, rowsOf('c', 0, 1, 2, 3))
    const fork = given(await tl.conversation('c').history.fork(2, 'f'))
    await append(tl, 'f', 4)
    await commitFacts(tenant, rowsOf('f', 2, 3, 4, 5), f)
    given(await fork.history.fork(4, 'g'))
    given(await fork.history.fork(1, 'early'))
    await append(tl, 'g', 2)
    await commitFacts(tenant, rowsOf('g', 4, 5), g)
    const all = ['c 0', 'c 1', 'f 2', 'f 3', 'g 4', 'g 5']
    const newestFirst = true
    same(await factTexts(tenant, { id: g }), all, 'all')
    same(await factTexts(tenant, { id: g, newestFirst }), all.toReversed(), 'the newest first')
    const span = { from: 1, to: 5 }
    same(await factTexts(tenant, { id: g, span }), all.slice(1, 5), 'a span')
    same(await factTexts(tenant, { id: g, span, limit: 2 }), ['c 1', 'f 2'], 'its first two')
    const newest = await factTexts(tenant, { id: g, span, newestFirst, limit: 3 })
    same(newest, ['g 4', 'f 3', 'f 2'], 'its newest three')
    same(await factTexts(tenant, { id: early }), ['c 0'], 'a fork before the beginning of a fork')
  },
  'leaves no facts after a purge': async ({ tl, tenant }) => {
    const f = 'f' as ConversationId
    await append(tl, 'c', 3)
    await append(tl, 'bystander', 3)
    for (const to of [id, 'bystander' as ConversationId])
      await commitFacts(tenant, rowsOf('row', 0, 1, 2), to)
    given(await tl.conversation('c').history.fork(2, 'f'))
    await commitFacts(tenant, rowsOf('fork', 1), f)
    await tl.conversation('f').history.purge()
    same(
      await factTexts(tenant),
      ['row 0', 'row 1', 'row 2'],
      'the source of a fork that is purged',
    )
    await tl.conversation('c').history.purge()
    same(await loadFacts(tenant, { id, span: everywhere }), null, 'facts of nothing')
    same(await loadLedger(tenant, { id }), null, 'the ledger of nothing')
    await append(tl, 'c', 3)
    same([await factTexts(tenant), await loadLedger(tenant, { id })], [[], null], 'a new one')
    const others = { id: 'bystander' as ConversationId }
    same((await factTexts(tenant, others))?.length, 3, 'facts of another conversation')
    same(await loadLedger(tenant, others), sampleLedger(), 'its ledger')
  },
})
