/** Requests and calibrations: recorded without a version and without an event. */

import { keptRows } from '../domain/kept-rows-data.ts'
import type { TenantStore } from '../ports/store.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { refuses, same } from '../testing/contract.ts'
import { hardText, id } from '../testing/store-cases/case.test-support.ts'
import { nothingDerived } from './changes.test-support.ts'
import { commitChanges } from './commit.ts'
import { loadRequests } from './rows.ts'
import { sampleCalibration, sampleRequest, sampleView } from './samples.test-support.ts'
import { loadConversation, loadState, recordRequest } from './state.ts'

const lastOf = async (tenant: TenantStore, model: string) =>
  (await loadState(tenant, { id, model }))?.last

onBothStores('requests', {
  'loads the whole state of a request in one query': async ({ tl, tenant }) => {
    same(await loadState(tenant, { id, model: 'm' }), null, 'the state of nothing')
    await tl.conversation('c').append({ role: 'user', content: 'a' })
    const before = await loadConversation(tenant, id)
    const { serial = -1, ...first } = (await loadState(tenant, { id, model: 'm' })) ?? {}
    same(first, { ...nothingDerived, conversation: before }, 'a new one')
    const calibration = sampleCalibration()
    const [request, view] = [sampleRequest(), sampleView()]
    const changes = { pins: [0], view: { model: 'm', view } }
    await commitChanges(tenant, { id, expectedVersion: 0, changes, at: 0 })
    const outcome = await recordRequest(tenant, {
      id,
      request,
      calibration: { model: 'm', calibration },
    })
    same(outcome, { kind: 'recorded' }, 'the outcome')
    const conversation = await loadConversation(tenant, id)
    same(conversation?.pins, [0], 'pins')
    same(
      await loadState(tenant, { id, model: 'm' }),
      { ...nothingDerived, conversation, serial, view, calibration, last: request, recorded: 1 },
      'the state',
    )
    same(
      await loadState(tenant, { id, model: 'n' }),
      { ...nothingDerived, conversation, serial, recorded: 1 },
      'the state for another model',
    )
  },
  'keeps the last requests, newest first, and counts them all': async ({ tl, tenant }) => {
    await tl.conversation('c').append({ role: 'user', content: 'a' })
    same(await loadRequests(tenant, { id, limit: 5 }), [], 'before the first')
    const all = Array.from({ length: keptRows.requests + 5 }, (_, index) =>
      sampleRequest({ fingerprint: `${index}`, model: index === 4 ? 'early' : `m${index % 2}` }),
    )
    for (const request of all) await recordRequest(tenant, { id, request })
    const newestFirst = all.toReversed()
    same(await loadRequests(tenant, { id, limit: 3 }), newestFirst.slice(0, 3), 'three')
    const found = await loadRequests(tenant, { id, limit: 1_000 })
    same(found, newestFirst.slice(0, keptRows.requests), 'all that are kept')
    same(
      (await loadState(tenant, { id, model: 'm0' }))?.recorded,
      all.length,
      'how many there were',
    )
    same(await lastOf(tenant, 'm0'), newestFirst[0], 'the newest of a model')
    same(await lastOf(tenant, 'm1'), newestFirst[1], 'the newest of another')
    same(await lastOf(tenant, 'early'), null, 'one that is kept no longer')
  },
  'records requests without moving the version or adding an event': async ({ chat, tenant }) => {
    await chat.append({ role: 'user', content: 'a' })
    const [info, events] = [await chat.info(), await chat.events()]
    const calibration = { model: 'm', calibration: sampleCalibration() }
    await recordRequest(tenant, { id, request: sampleRequest(), calibration })
    await recordRequest(tenant, { id, calibration })
    same(await recordRequest(tenant, { id }), { kind: 'recorded' }, 'a record of nothing')
    same([await chat.info(), await chat.events()], [info, events], 'conversation and events')
    same((await loadState(tenant, { id, model: 'm' }))?.recorded, 1, 'requests')
  },
  'keeps the calibrations of the models that were recorded last': async ({ tl, tenant }) => {
    await tl.conversation('c').append({ role: 'user', content: 'a' })
    const others = Array.from({ length: keptRows.calibrations - 2 }, (_, index) => `${index}`)
    const models = [hardText, 'b', ...others]
    for (const [observed, model] of [...models, hardText, 'one more'].entries())
      await recordRequest(tenant, {
        id,
        calibration: { model, calibration: sampleCalibration({ observed }) },
      })
    const observed = async (model: string) =>
      (await loadState(tenant, { id, model }))?.calibration?.observed ?? null
    same(await observed(hardText), keptRows.calibrations, 'one that was replaced')
    same(await observed(hardText.replace('\ud83d', '\ufffd')), null, 'one of a similar name')
    same(await observed('b'), null, 'the oldest')
    same(await observed('one more'), keptRows.calibrations + 1, 'the newest')
    const found = await Promise.all([...models, 'one more'].map(observed))
    same(found.filter((one) => one !== null).length, keptRows.calibrations, 'how many are left')
  },
  'records nothing for a missing conversation or one of another tenant': async ({
    tl,
    store,
    tenant,
  }) => {
    const command = { id, request: sampleRequest() }
    same(await recordRequest(tenant, command), { kind: 'not-found' }, 'a record of nothing')
    same(await loadConversation(tenant, id), null, 'the conversation')
    await tl.tenant('other').conversation('c').append({ role: 'user', content: 'a' })
    same(await recordRequest(tenant, command), { kind: 'not-found' }, "another tenant's")
    same(await loadRequests(tenant, { id, limit: 5 }), null, 'its requests')
    same(await loadState(tenant, { id, model: 'm' }), null, 'its state')
    same(await tenant.read({ id, before: 5, limit: 5 }), null, 'its messages')
    const theirs = await loadState(store.tenant('other' as never), { id, model: 'm' })
    same(theirs?.recorded, 0, 'what the other tenant sees')
  },
  'refuses to load and to record after it was closed': async ({ tl, store, tenant }) => {
    await tl.conversation('c').append({ role: 'user', content: 'a' })
    await store.close()
    await refuses('STORE_CLOSED', 'state', () => loadState(tenant, { id, model: 'm' }))
    await refuses('STORE_CLOSED', 'record', () =>
      recordRequest(tenant, { id, request: sampleRequest() }),
    )
    await refuses('STORE_CLOSED', 'requests', () => loadRequests(tenant, { id, limit: 1 }))
    await refuses('STORE_CLOSED', 'readBack', () => tenant.read({ id, before: 1, limit: 1 }))
  },
})
