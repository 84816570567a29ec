/** Facts and the ledger: committed with the view, read by place. */

import type { ConversationId } from '../domain/ids.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { holds, refuses, same } from '../testing/contract.ts'
import { append, hardText, id } from '../testing/store-cases/case.test-support.ts'
import { change, commitFacts, everywhere, factTexts, rowsOf } from './changes.test-support.ts'
import { commitChanges } from './commit.ts'
import { type FactsQuery, loadFacts, loadLedger } from './rows.ts'
import { sampleFacts, sampleLedger, sampleView } from './samples.test-support.ts'
import { loadConversation, loadState } from './state.ts'

onBothStores('facts', {
  'keeps facts and the ledger as they were committed, with the view': async ({ tl, tenant }) => {
    same(await loadFacts(tenant, { id, span: everywhere }), null, 'facts of nothing')
    same(await loadLedger(tenant, { id }), null, 'the ledger of nothing')
    await append(tl, 'c', 3)
    same(await loadFacts(tenant, { id, span: everywhere }), [], 'facts before the first')
    same(await loadLedger(tenant, { id }), null, 'the ledger before the first')
    const rows = [sampleFacts(), sampleFacts({ seq: 2, trust: 'tool', facts: [], digest: null })]
    const [ledger, view] = [sampleLedger({ to: 3 }), sampleView()]
    const changes = { facts: { rows, ledger }, view: { model: 'm', view } }
    const outcome = await change(tenant, changes)
    same(outcome.kind === 'committed' && outcome.conversation.version, 1, 'the version')
    same(await loadFacts(tenant, { id, span: everywhere }), rows, 'facts')
    same(await loadLedger(tenant, { id }), ledger, 'the ledger')
    same((await loadState(tenant, { id, model: 'm' }))?.view, view, 'the view')
  },
  'replaces the facts of a message and the ledger, and leaves the others': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 4)
    await commitFacts(tenant, rowsOf('first', 0, 1, 2))
    const ledger = sampleLedger({ to: 4, entries: [] })
    await change(tenant, { facts: { rows: rowsOf('second', 1, 3), ledger } })
    same(await factTexts(tenant), ['first 0', 'second 1', 'first 2', 'second 3'], 'rows')
    same(await loadLedger(tenant, { id }), ledger, 'the ledger')
    await commitFacts(tenant, [])
    same((await factTexts(tenant))?.length, 4, 'rows after a commit of none')
    same(await loadLedger(tenant, { id }), sampleLedger(), 'the ledger of that commit')
  },
  'keeps the ledger in a commit of rows only, and reports where the rows end': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 4)
    await change(tenant, { facts: { rows: rowsOf('first', 0), ledger: null } })
    same(await loadLedger(tenant, { id }), null, 'the ledger before the first')
    await commitFacts(tenant, rowsOf('second', 1))
    await change(tenant, { facts: { rows: rowsOf('third', 1, 2), ledger: null } })
    same(await factTexts(tenant), ['first 0', 'third 1', 'third 2'], 'rows')
    same(await loadLedger(tenant, { id }), sampleLedger(), 'the ledger')
    const events = (await tenant.events({ id, after: 0, limit: 99 })) ?? []
    const ends = events.flatMap((event) => (event.kind === 'facts-extracted' ? [event.to] : []))
    same(ends, [1, sampleLedger().to, 3], 'the ends in the events')
  },
  'keeps facts and ledger in commits without them, and when messages are appended': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 2)
    await commitFacts(tenant, rowsOf('row', 0, 1))
    await change(tenant, { title: 'T', view: { model: 'm', view: sampleView() } })
    await append(tl, 'c', 2)
    same(await factTexts(tenant), ['row 0', 'row 1'], 'rows')
    same(await loadLedger(tenant, { id }), sampleLedger(), 'the ledger')
  },
  'reads facts of a span in order, or the newest first, as many as are asked for': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 12)
    await commitFacts(tenant, rowsOf('row', 0, 2, 3, 5, 9, 10))
    const places = async (from: number, to: number, more: Partial<FactsQuery> = {}) =>
      (await loadFacts(tenant, { id, span: { from, to }, ...more }))?.map(({ seq }) => seq)
    const newestFirst = true
    same(await places(0, 12), [0, 2, 3, 5, 9, 10], 'all')
    same(await places(2, 9), [2, 3, 5], 'a span without its end')
    same(await places(3, 999), [3, 5, 9, 10], 'a span across the end')
    same(await places(6, 9), [], 'a span without rows')
    same(await places(5, 5), [], 'an empty span')
    same(await places(12, 20), [], 'a span after the end')
    same(await places(1, 11, { limit: 2 }), [2, 3], 'the first two')
    same(await places(0, 10, { newestFirst }), [9, 5, 3, 2, 0], 'the newest first')
    same(await places(0, 10, { newestFirst, limit: 2 }), [9, 5], 'the newest two')
    same(await places(0, 12, { newestFirst, limit: 99 }), [10, 9, 5, 3, 2, 0], 'more than all')
    same(await places(0, 12, { limit: Number.MAX_SAFE_INTEGER }), [0, 2, 3, 5, 9, 10], 'a lot')
    same(await places(0, 12, { limit: 0 }), [], 'none')
  },
  'reads facts of one trust, and no others': async ({ tl, tenant }) => {
    await append(tl, 'c', 8)
    const trusts = ['user', 'tool', 'assistant', 'user', 'tool', 'user'] as const
    await commitFacts(
      tenant,
      trusts.map((trust, seq) => sampleFacts({ seq, trust })),
    )
    const places = async (query: Partial<FactsQuery>) =>
      (await loadFacts(tenant, { id, span: everywhere, ...query }))?.map(({ seq }) => seq)
    same(await places({ trust: 'user' }), [0, 3, 5], 'of users')
    same(await places({ trust: 'tool', newestFirst: true }), [4, 1], 'of tools, newest first')
    same(await places({ trust: 'user', limit: 2, newestFirst: true }), [5, 3], 'the newest two')
    await commitFacts(tenant, [sampleFacts({ seq: 3, trust: 'tool' })])
    same(await places({ trust: 'user' }), [0, 5], 'of users, when one was written anew')
    const fork = 'fork' as ConversationId
    const forkedFrom = { conversationId: id, at: 6 }
    await tenant.create({ id: fork, title: null, meta: null, parent: null, forkedFrom, at: 9 })
    const own = [
      sampleFacts({ seq: 0, trust: 'assistant' }),
      sampleFacts({ seq: 1, trust: 'user' }),
    ]
    await commitFacts(tenant, own, fork)
    same(await places({ id: fork, trust: 'user' }), [1, 5], 'of users, in a fork')
  },
  'reports facts as the last event of a commit, with the end of the ledger': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 2)
    const facts = { rows: rowsOf('row', 0), ledger: sampleLedger({ to: 2 }) }
    await change(tenant, { facts, view: { model: 'm', view: sampleView() }, pins: [0] })
    await commitFacts(tenant, [])
    const events = await tenant.events({ id, after: 2, limit: 9 })
    const epoch = { kind: 'epoch-began', model: 'm', epoch: 1, cause: 'first' }
    const expected = [
      { kind: 'pins-changed', pins: [0], number: 3, at: 9 },
      { ...epoch, number: 4, at: 9 },
      { kind: 'facts-extracted', to: 2, number: 5, at: 9 },
      { kind: 'facts-extracted', to: 1, number: 6, at: 9 },
    ]
    same(events, expected, 'events')
  },
  'writes no facts and no ledger for another version or another tenant': async ({
    tl,
    store,
    tenant,
  }) => {
    await append(tl, 'c', 2)
    await commitFacts(tenant, rowsOf('row', 0))
    const facts = { rows: rowsOf('late', 0, 1), ledger: sampleLedger({ to: 2 }) }
    const command = { id, expectedVersion: 0, changes: { facts }, at: 9 }
    same(await commitChanges(tenant, command), { kind: 'version-moved', version: 1 }, 'the outcome')
    same(await factTexts(tenant), ['row 0'], 'rows')
    same(await loadLedger(tenant, { id }), sampleLedger(), 'the ledger')
    const other = store.tenant('other' as never)
    same(await commitChanges(other, command), { kind: 'not-found' }, "another tenant's commit")
    same(await loadFacts(other, { id, span: everywhere }), null, 'facts, seen by another tenant')
    same(await loadLedger(other, { id }), null, 'the ledger, seen by another tenant')
  },
  'refuses facts of a missing message, and writes nothing of their commit': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 2)
    for (const seq of [2, -1, 0.5, 2 ** 32, Number.NaN]) {
      const facts = { rows: rowsOf('row', 0, seq), ledger: sampleLedger() }
      await refuses('INVARIANT_BROKEN', `facts of ${seq}`, () =>
        change(tenant, { title: 'T', facts }),
      )
    }
    await append(tl, 'c', 2)
    same([await factTexts(tenant), await loadLedger(tenant, { id })], [[], null], 'what is there')
    const { title, version } = (await loadConversation(tenant, id)) ?? {}
    same([title, version], [null, 0], 'the conversation')
  },
  'keeps a copy of the given facts and returns copies': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    const facts = { rows: [sampleFacts()], ledger: sampleLedger() }
    await change(tenant, { facts })
    const read = async () => ({
      rows: await loadFacts(tenant, { id, span: everywhere }),
      ledger: await loadLedger(tenant, { id }),
    })
    for (const { rows, ledger } of [facts, await read()]) {
      Object.assign(rows?.[0]?.facts[0] ?? {}, { key: 'spoilt' })
      Object.assign(ledger?.entries[0]?.counts ?? {}, { spoilt: 1 })
    }
    same(await read(), { rows: [sampleFacts()], ledger: sampleLedger() }, 'what is there')
  },
  'keeps facts of a megabyte, whatever text is in them': async ({ tl, tenant }) => {
    await append(tl, 'c', 2)
    const text = `${hardText}\u{1f600}\\ \r\n`.repeat(50_000)
    const row = sampleFacts({
      seq: 1,
      facts: [{ kind: 'name', key: text, label: '', value: '\udc00', uses: 1 }],
      digest: { by: 'tool', text: '' },
    })
    const entries = sampleLedger().entries.map((entry) => ({ ...entry, value: text }))
    await change(tenant, { facts: { rows: [row], ledger: sampleLedger({ entries }) } })
    const [found] = (await loadFacts(tenant, { id, span: { from: 1, to: 2 } })) ?? []
    const ledger = await loadLedger(tenant, { id })
    // A message instead of a difference of megabytes.
    holds(found?.facts[0]?.key === text, 'the text of a fact must be the same')
    holds(ledger?.entries[0]?.value === text, 'the text of the ledger must be the same')
    same(found.facts[0].value, '\udc00', 'half a pair')
    same(found.digest, { by: 'tool', text: '' }, 'an empty digest')
  },
  'refuses to read and to write facts after it was closed': async ({ tl, store, tenant }) => {
    await append(tl, 'c', 1)
    await commitFacts(tenant, rowsOf('row', 0))
    await store.close()
    const changes = { facts: { rows: [], ledger: sampleLedger() } }
    const command = { id, expectedVersion: 1, changes, at: 9 }
    await refuses('STORE_CLOSED', 'facts', () => loadFacts(tenant, { id, span: everywhere }))
    await refuses('STORE_CLOSED', 'ledger', () => loadLedger(tenant, { id }))
    await refuses('STORE_CLOSED', 'commit', () => commitChanges(tenant, command))
  },
})
