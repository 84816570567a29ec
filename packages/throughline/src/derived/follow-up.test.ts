/** Receipts that wait for their follow-up, and the follow-up, which is added once. */

import { keptRows } from '../domain/kept-rows-data.ts'
import type { TenantStore } from '../ports/store.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { same } from '../testing/contract.ts'
import { append, id } from '../testing/store-cases/case.test-support.ts'
import { change, left, write } from './changes.test-support.ts'
import { completeReceipt, loadReceipts, loadWaitingReceipt } from './receipts.ts'
import { sampleFollowUp, sampleRequest } from './samples.test-support.ts'
import { loadConversation, loadState, recordRequest } from './state.ts'

const waitingFor = async (tenant: TenantStore, recorded: number) =>
  (await loadWaitingReceipt(tenant, { id, recorded }))?.receipt.epoch ?? null
const dueOf = async (tenant: TenantStore) =>
  (await loadState(tenant, { id, model: 'm' }))?.followUpDue ?? null
const complete = async (tenant: TenantStore, version: number, recalls = 3) => {
  const serial = (await loadState(tenant, { id, model: 'm' }))?.serial ?? -1
  const followUp = sampleFollowUp({ recalls })
  return completeReceipt(tenant, { id, serial, version, rewrites: 0, followUp, at: 11 })
}

const span = (from: number, to: number) => ({ from, to })

onBothStores('follow-up', {
  'returns when a follow-up is due, and the oldest receipt that is due': async ({ tl, tenant }) => {
    same(await loadWaitingReceipt(tenant, { id, recorded: 1 }), null, 'what waits in nothing')
    await append(tl, 'c', 1)
    same([await dueOf(tenant), await waitingFor(tenant, 9)], [null, null], 'before the first')
    await write(tenant, { epoch: 1, due: 31 })
    await write(tenant, { epoch: 2, due: 30 })
    await write(tenant, { epoch: 3, due: 60 })
    same(await dueOf(tenant), 30, 'the next that is due')
    same(await waitingFor(tenant, 29), null, 'too early')
    same(await waitingFor(tenant, 30), 2, 'only one is due')
    same(await waitingFor(tenant, 31), 1, 'of two the older one')
    const { serial, ...found } = (await loadWaitingReceipt(tenant, { id, recorded: 99 })) ?? {}
    same(serial, (await loadState(tenant, { id, model: 'm' }))?.serial, 'the serial')
    const [, , receipt] = (await loadReceipts(tenant, { id, limit: 9, before: null })) ?? []
    same(found, { receipt, left, expanded: [], rewrites: 0 }, 'what waits')
  },
  'completes a receipt once, with an event and without moving the version': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 1)
    await write(tenant, { epoch: 1, due: 1 })
    await write(tenant, { epoch: 2, due: 2 })
    const before = await loadConversation(tenant, id)
    same(await complete(tenant, 1), { kind: 'recorded' }, 'the first')
    same(await complete(tenant, 1, 99), { kind: 'row-changed' }, 'the second')
    same(await loadConversation(tenant, id), before, 'the conversation')
    const [newer, older] = (await loadReceipts(tenant, { id, limit: 9, before: null })) ?? []
    same(older?.followUp, sampleFollowUp(), 'follow-up')
    same([older?.version, older?.epoch], [1, 1], 'its receipt')
    same(newer?.followUp, null, 'the other')
    same([await dueOf(tenant), await waitingFor(tenant, 9)], [2, 2], 'what waits')
    const figures = { reopenedFiles: 1, recalls: 3, namesNeeded: 4, namesShown: 3 }
    const event = { kind: 'receipt-completed', receipt: 1, ...figures, number: 5, at: 11 }
    same(await tenant.events({ id, after: 4, limit: 9 }), [event], 'events')
    await change(tenant, { title: 'T' })
    same((await tenant.events({ id, after: 5, limit: 9 }))?.[0]?.number, 6, 'the next event')
  },
  'completes no missing receipt, nor one of another conversation with that id': async ({
    tl,
    store,
    tenant,
  }) => {
    const followUp = sampleFollowUp()
    const none = { id, serial: 1, version: 1, rewrites: 0, followUp, at: 0 }
    same(await completeReceipt(tenant, none), { kind: 'not-found' }, 'in nothing')
    await append(tl, 'c', 1)
    await write(tenant)
    same(await complete(tenant, 2), { kind: 'not-found' }, 'of another version')
    const serial = (await loadState(tenant, { id, model: 'm' }))?.serial ?? -1
    const command = { ...none, serial }
    const other = store.tenant('other' as never)
    same(await completeReceipt(other, command), { kind: 'not-found' }, "another tenant's")
    await tenant.purge({ id, forks: 'refuse', at: 1 })
    await append(tl, 'c', 1)
    await write(tenant)
    same(
      await completeReceipt(tenant, command),
      { kind: 'not-found' },
      'the new conversation of that id',
    )
    same(await waitingFor(tenant, 99), 2, 'what waits there')
  },
  'counts expanded spans with every waiting receipt, without a version or an event': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 1)
    await write(tenant, { due: 1 })
    await write(tenant, { due: 2 })
    await complete(tenant, 1)
    await write(tenant, { due: 3 })
    const before = [await loadConversation(tenant, id), await tl.conversation('c').events()]
    for (const expanded of [span(3, 5), span(0, 1), span(3, 5), span(3, 4)])
      same(await recordRequest(tenant, { id, expanded }), { kind: 'recorded' }, 'the outcome')
    const after = [await loadConversation(tenant, id), await tl.conversation('c').events()]
    same(after, before, 'conversation and events')
    await write(tenant, { due: 4 })
    await recordRequest(tenant, { id, expanded: span(0, 1), request: sampleRequest() })
    same((await loadState(tenant, { id, model: 'm' }))?.recorded, 1, 'requests')
    const first = await loadWaitingReceipt(tenant, { id, recorded: 2 })
    const counts = first?.expanded.map((one) => [one.span.from, one.span.to, one.times])
    same(
      counts,
      [
        [3, 5, 2],
        [0, 1, 2],
        [3, 4, 1],
      ],
      'what was expanded',
    )
    await complete(tenant, 2)
    same(
      (await loadWaitingReceipt(tenant, { id, recorded: 3 }))?.expanded,
      first?.expanded,
      'of another',
    )
    await complete(tenant, 3)
    const { expanded } = (await loadWaitingReceipt(tenant, { id, recorded: 4 })) ?? {}
    same(expanded, [{ span: span(0, 1), times: 1 }], 'of one that came between')
  },
  'keeps a limited number of spans with a receipt, and continues to count those': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 1)
    await write(tenant, { due: 1 })
    for (let from = 0; from < keptRows.expansions + 3; from += 1)
      await recordRequest(tenant, { id, expanded: span(from, from + 1) })
    await recordRequest(tenant, { id, expanded: span(0, 1) })
    const { expanded = [] } = (await loadWaitingReceipt(tenant, { id, recorded: 1 })) ?? {}
    same([expanded.length, expanded[0]?.times], [keptRows.expansions, 2], 'the counted spans')
  },
})
