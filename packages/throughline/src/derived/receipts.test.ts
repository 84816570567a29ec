/** Receipts: written with their view, and read newest first. */

import { keptRows } from '../domain/kept-rows-data.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { given, holds, refuses, same } from '../testing/contract.ts'
import { append, hardText, id } from '../testing/store-cases/case.test-support.ts'
import { change, epochs, left, write } from './changes.test-support.ts'
import { commitChanges } from './commit.ts'
import { completeReceipt, loadReceipts, loadWaitingReceipt } from './receipts.ts'
import { sampleFacts, sampleLedger, sampleReceipt, sampleView } from './samples.test-support.ts'
import { loadState, recordRequest } from './state.ts'

const query = { id, limit: 1_000, before: null }

onBothStores('receipts', {
  'keeps a receipt in one commit with view and facts, and reports it last': async ({
    tl,
    tenant,
  }) => {
    same(await loadReceipts(tenant, query), null, 'receipts of nothing')
    await append(tl, 'c', 1)
    same(await loadReceipts(tenant, query), [], 'receipts before the first')
    const receipt = sampleReceipt({ model: hardText })
    const outcome = await change(tenant, {
      receipt: { receipt, left, due: 31 },
      view: { model: 'm', view: sampleView() },
      facts: { rows: [sampleFacts()], ledger: sampleLedger() },
    })
    same(outcome.kind === 'committed' && outcome.conversation.version, 1, 'the version')
    same(
      await loadReceipts(tenant, query),
      [{ ...receipt, version: 1, followUp: null }],
      'receipts',
    )
    same((await loadState(tenant, { id, model: 'm' }))?.view, sampleView(), 'the view')
    const events = await tenant.events({ id, after: 2, limit: 9 })
    same(
      events?.map(({ kind }) => kind),
      ['epoch-began', 'facts-extracted', 'compaction-finished'],
      'events',
    )
    const finished = { kind: 'compaction-finished', receipt: 1, model: hardText, epoch: 2, line: 4 }
    const figures = { reason: 'tokenRatio', tokensBefore: null, tokensAfter: 350.5 }
    same(events?.at(-1), { ...finished, ...figures, number: 5, at: 9 }, 'the last event')
  },
  'keeps a receipt without a follow-up, and none becomes due': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    await change(tenant, { receipt: { receipt: sampleReceipt({ epoch: 1 }), left, due: null } })
    same(await epochs(tenant), [1], 'receipts')
    same((await loadState(tenant, { id, model: 'm' }))?.followUpDue, null, 'when follow-up is due')
    same(await loadWaitingReceipt(tenant, { id, recorded: 1_000 }), null, 'what waits')
    await recordRequest(tenant, { id, expanded: { from: 0, to: 1 } })
    await write(tenant, { epoch: 2 })
    same((await loadState(tenant, { id, model: 'm' }))?.followUpDue, 31, 'that of the next')
  },
  'reads receipts newest first, up to a limit, before a version': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    for (const epoch of [1, 2, 3]) {
      await write(tenant, { epoch })
      // With versions without a receipt in between.
      await change(tenant, { title: `${epoch}` })
    }
    same(await epochs(tenant), [3, 2, 1], 'all')
    const versions = (await loadReceipts(tenant, query))?.map(({ version }) => version)
    same(versions, [5, 3, 1], 'the versions that they made')
    same(await epochs(tenant, { limit: 2 }), [3, 2], 'the newest two')
    same(await epochs(tenant, { limit: 0 }), [], 'none')
    same(await epochs(tenant, { before: 5 }), [2, 1], 'those before one')
    same(await epochs(tenant, { before: 4, limit: 1 }), [2], 'one before a version without one')
    same(await epochs(tenant, { before: 1 }), [], 'those before the first')
    same(await epochs(tenant, { before: 999 }), [3, 2, 1], 'those before one that is to come')
  },
  'keeps the last receipts': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    const count = keptRows.receipts + 3
    for (let epoch = 1; epoch <= count; epoch += 1) await write(tenant, { epoch })
    const found = await epochs(tenant)
    const expected = Array.from({ length: keptRows.receipts }, (_, index) => count - index)
    same(found, expected, 'what is kept')
  },
  'writes no receipt for another version or another tenant': async ({ tl, store, tenant }) => {
    await append(tl, 'c', 1)
    await write(tenant, { epoch: 1 })
    const changes = { receipt: { receipt: sampleReceipt(), left, due: 31 } }
    const command = { id, expectedVersion: 0, changes, at: 9 }
    same(await commitChanges(tenant, command), { kind: 'version-moved', version: 1 }, 'the outcome')
    same(await epochs(tenant), [1], 'receipts')
    const other = store.tenant('other' as never)
    same(await commitChanges(other, command), { kind: 'not-found' }, "another tenant's commit")
    same(await loadReceipts(other, query), null, 'receipts, seen by another tenant')
    same(await loadWaitingReceipt(other, { id, recorded: 999 }), null, 'and what waits')
  },
  'has no receipt in a fork, nor in a conversation restarted after a purge': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 2)
    await write(tenant)
    given(await tl.conversation('c').history.fork(1, 'f'))
    const fork = 'f' as typeof id
    same(await loadReceipts(tenant, { ...query, id: fork }), [], 'receipts of the fork')
    same(
      (await loadState(tenant, { id: fork, model: 'm' }))?.followUpDue,
      null,
      'what it waits for',
    )
    await write(tenant, { to: fork, epoch: 7 })
    same(await epochs(tenant), [2], 'receipts of its source')
    await tenant.purge({ id, forks: 'purge', at: 1 })
    same(await loadReceipts(tenant, query), null, 'receipts of what was purged')
    await append(tl, 'c', 1)
    same(await loadReceipts(tenant, query), [], 'receipts of what was begun anew')
    same(await loadWaitingReceipt(tenant, { id, recorded: 999 }), null, 'and what waits')
  },
  'keeps a copy of the given receipt and returns copies': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    const receipt = sampleReceipt()
    const mine = { text: 'left', stubs: [1] }
    await change(tenant, { receipt: { receipt, left: mine, due: 1 } })
    const read = async () => ({
      receipts: await loadReceipts(tenant, query),
      waiting: await loadWaitingReceipt(tenant, { id, recorded: 1 }),
    })
    const before = structuredClone(await read())
    const { receipts, waiting } = await read()
    for (const one of [receipt, receipts?.[0], waiting?.receipt])
      Object.assign(one?.tokensByKind ?? {}, { recent: -1 })
    for (const one of [mine, waiting?.left]) Object.assign(one?.stubs ?? [], { 0: 99 })
    same(await read(), before, 'what is there')
  },
  'keeps a receipt of a megabyte': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    const text = `${hardText}\u{1f600}\\ \r\n`.repeat(50_000)
    const keeps = Array.from({ length: 50_000 }, (_, seq) => seq)
    const receipt = sampleReceipt({ keeps })
    await change(tenant, { receipt: { receipt, left: { text, stubs: keeps }, due: 1 } })
    const waiting = await loadWaitingReceipt(tenant, { id, recorded: 1 })
    holds(waiting?.left.text === text, 'the text that was left must be the same')
    same(waiting.left.stubs.length, keeps.length, 'places')
    same(waiting.receipt.keeps.length, keeps.length, 'places that were kept')
  },
  'refuses to read receipts and to complete them after it was closed': async ({
    tl,
    store,
    tenant,
  }) => {
    await append(tl, 'c', 1)
    await store.close()
    await refuses('STORE_CLOSED', 'receipts', () => loadReceipts(tenant, query))
    await refuses('STORE_CLOSED', 'waiting', () => loadWaitingReceipt(tenant, { id, recorded: 1 }))
    const command = { id, serial: 1, version: 1, rewrites: 0, followUp: {} as never, at: 0 }
    await refuses('STORE_CLOSED', 'complete', () => completeReceipt(tenant, command))
  },
})
