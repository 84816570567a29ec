/** Pins and views: committed under the version, reported by events, kept for a few models. */

import { noControl } from '../domain/conversation.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import type { TenantStore } from '../ports/store.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { build } from '../testing/build.ts'
import { given, same } from '../testing/contract.ts'
import { hardText, id, tenantOf } from '../testing/store-cases/case.test-support.ts'
import { change, nothingDerived } from './changes.test-support.ts'
import { commitChanges } from './commit.ts'
import { loadRequests } from './rows.ts'
import { sampleCalibration, sampleRequest, sampleView } from './samples.test-support.ts'
import { loadConversation, loadState, recordRequest } from './state.ts'

const viewOf = async (tenant: TenantStore, model: string, of = id) =>
  (await loadState(tenant, { id: of, model }))?.view

async function stateOf(tenant: TenantStore, of: typeof id) {
  const state = await loadState(tenant, { id: of, model: 'm' })
  if (state === null) throw new Error('expected a state, got null')
  return state
}

onBothStores('views', {
  'keeps pins with the conversation': async ({ tl, store, chat }) => {
    await chat.append([...build().user('a').says('b').user('c')])
    same((await chat.info())?.pins, [], 'pins at the start')
    const outcome = await change(tenantOf(store), { pins: [0, 2] })
    same(outcome.kind === 'committed' && outcome.conversation.pins, [0, 2], 'the outcome')
    await chat.append({ role: 'user', content: 'd' })
    await change(tenantOf(store), { title: 'T' })
    same((await chat.info())?.pins, [0, 2], 'pins after other changes')
    same((await tl.list())[0]?.pins, [0, 2], 'pins in a list')
    await change(tenantOf(store), { pins: [] })
    same((await chat.info())?.pins, [], 'pins that were taken off')
  },
  'gives a fork the pins of its source before its point': async ({ tl, tenant }) => {
    await tl.conversation('c').append([...build().user('a').says('b').user('c').says('d')])
    await change(tenant, { pins: [0, 1, 3] })
    const fork = given(await tl.conversation('c').history.fork(3, 'f'))
    same((await fork.info())?.pins, [0, 1], "the fork's pins")
    same((await fork.info())?.version, 0, "the fork's version")
    await change(tenant, { pins: [1] }, 'f' as never)
    // It refers to the source, because the fork has no message of its own there.
    const early = given(await fork.history.fork(2, 'early'))
    same((await early.info())?.pins, [1], 'pins of a fork of the fork')
    same((await tl.conversation('c').info())?.pins, [0, 1, 3], "the source's pins")
  },
  'keeps how far a policy has searched for pins; a fork has it up to its point': async ({
    tenant,
    chat,
  }) => {
    await chat.append([...build().user('a').says('b').user('c').says('d')])
    same((await chat.info())?.pinnedTo, 0, 'at the start')
    const outcome = await change(tenant, { pins: [0], pinnedTo: 3 })
    same(outcome.kind === 'committed' && outcome.conversation.pinnedTo, 3, 'the outcome')
    await change(tenant, { pins: [] })
    same((await stateOf(tenant, id)).conversation.pinnedTo, 3, 'after other changes')
    const early = given(await chat.history.fork(2, 'early'))
    same((await early.info())?.pinnedTo, 2, 'of a fork before it')
    const late = given(await chat.history.fork(4, 'late'))
    same((await late.info())?.pinnedTo, 3, 'of a fork after it')
  },
  'keeps the control of compaction, and gives a fork only its mode': async ({ chat, tenant }) => {
    await chat.append([...build().user('a').says('b')])
    same((await chat.info())?.compaction, noControl, 'at the start')
    const asked = { reason: 'provider-overflow', model: hardText, of: 'f1' } as const
    const suspended = [{ model: hardText, version: 3 }]
    const control = { mode: 'shadow', asked, suspended } as const
    const outcome = await change(tenant, { compaction: control })
    same(outcome.kind === 'committed' && outcome.conversation.compaction, control, 'the outcome')
    await change(tenant, { title: 'T' })
    same((await stateOf(tenant, id)).conversation.compaction, control, 'after other changes')
    const fork = given(await chat.history.fork(1, 'f'))
    same((await fork.info())?.compaction, { ...noControl, mode: 'shadow' }, "the fork's")
    await change(tenant, { compaction: noControl })
    same((await chat.info())?.compaction, noControl, 'taken off')
    await change(tenant, { compaction: { ...noControl, suspended } })
    same((await chat.info())?.compaction, { ...noControl, suspended }, 'suspended alone')
    const controlled = (await chat.events()).filter(({ kind }) => kind === 'compaction-controlled')
    same(controlled.length, 3, 'events')
  },
  'does not read a view again while the version is unchanged': async ({ tl, tenant }) => {
    await tl.conversation('c').append({ role: 'user', content: 'a' })
    await change(tenant, { view: { model: 'm', view: sampleView({ epoch: 1 }) } })
    const before = await loadState(tenant, { id, model: 'm', seenVersion: 0 })
    same([before?.seen, before?.view], [false, sampleView({ epoch: 1 })], 'an older version')
    const seenVersion = before?.conversation.version
    await tl.conversation('c').append({ role: 'user', content: 'b' })
    const state = await loadState(tenant, { id, model: 'm', seenVersion })
    same([state?.seen, state?.view, state?.conversation.head], [true, null, 2], 'the same version')
    await change(tenant, { title: 'T' })
    const moved = await loadState(tenant, { id, model: 'm', seenVersion })
    same([moved?.seen, moved?.view], [false, sampleView({ epoch: 1 })], 'a version that moved')
  },
  'keeps a view for each model, as it was committed': async ({ tl, tenant }) => {
    await tl.conversation('c').append({ role: 'user', content: 'a' })
    same(await viewOf(tenant, 'm'), null, 'the view before the first')
    const views = { m: 1, n: 2, [hardText]: 3, [hardText.replace('\ud83d', '\ufffd')]: 4 }
    for (const [model, epoch] of Object.entries(views))
      await change(tenant, { view: { model, view: sampleView({ epoch }) } })
    for (const [model, epoch] of Object.entries(views))
      same(await viewOf(tenant, model), sampleView({ epoch }), `the view of ${model}`)
    await change(tenant, { view: { model: 'm', view: sampleView({ epoch: 5, stubs: [] }) } })
    same(await viewOf(tenant, 'm'), sampleView({ epoch: 5, stubs: [] }), 'the next epoch')
    await change(tenant, { view: { model: 'm', view: null } })
    same(await viewOf(tenant, 'm'), null, 'a view that was ended')
    same((await viewOf(tenant, 'n'))?.epoch, 2, 'the view of another model')
  },
  'keeps the views of the models that were committed last': async ({ tl, tenant }) => {
    await tl.conversation('c').append({ role: 'user', content: 'a' })
    const models = Array.from({ length: keptRows.views }, (_, index) => `model ${index}`)
    for (const model of [...models, 'model 0', 'one more'])
      await change(tenant, { view: { model, view: sampleView() } })
    const found = await Promise.all(
      [...models, 'one more'].map(async (model) => (await viewOf(tenant, model))?.epoch ?? null),
    )
    const left = [...models, 'one more'].map((model) => (model === 'model 1' ? null : 1))
    same(found, left, 'which views are left')
  },
  'reports all changes of a commit, in order, and moves the version by one': async ({
    tl,
    tenant,
  }) => {
    const chat = given(await tl.begin('c'))
    const view = { model: hardText, view: sampleView({ epoch: 3, cause: 'trigger' }) }
    await change(tenant, { view, pins: [0], meta: { a: 1 }, title: 'T' })
    same((await chat.info())?.version, 1, 'the version')
    const epoch = { kind: 'epoch-began', model: hardText, epoch: 3, cause: 'trigger' } as const
    const expected = [
      { kind: 'conversation-updated', fields: ['title', 'meta'], number: 2, at: 9 },
      { kind: 'pins-changed', pins: [0], number: 3, at: 9 },
      { ...epoch, number: 4, at: 9 },
    ]
    same((await chat.events()).slice(1), expected, 'events of one commit')
    await change(tenant, { view })
    await change(tenant, { pins: [] })
    await change(tenant, { view: { model: hardText, view: null } })
    const later = [
      { ...epoch, number: 5, at: 9 },
      { kind: 'pins-changed', pins: [], number: 6, at: 9 },
      { kind: 'conversation-updated', fields: [], number: 7, at: 9 },
    ]
    same(await chat.events({ after: 4 }), later, 'events of later commits')
    same((await chat.info())?.version, 4, 'the version after them')
  },
  'writes no pins and no view for another version': async ({ tl, tenant }) => {
    const chat = given(await tl.begin('c', { title: 'T' }))
    await change(tenant, { title: 'U' })
    const changes = { pins: [0], view: { model: 'm', view: sampleView() } }
    const outcome = await commitChanges(tenant, { id, expectedVersion: 0, changes, at: 9 })
    same(outcome, { kind: 'version-moved', version: 1 }, 'the outcome')
    same([await viewOf(tenant, 'm'), (await chat.info())?.pins], [null, []], 'what is there')
    same((await chat.events()).length, 2, 'events')
  },
  'keeps a copy of its input and returns copies': async ({ tl, tenant }) => {
    await tl.begin('c')
    const given = { pins: [1, 2], view: { model: 'm', view: sampleView() } }
    await change(tenant, given)
    const spoil = (value: object | null | undefined) =>
      Object.assign(value ?? {}, { 0: 99, line: 99 })
    for (const value of [given.pins, given.view.view, (await loadConversation(tenant, id))?.pins])
      spoil(value)
    spoil(await viewOf(tenant, 'm'))
    const events = await tenant.events({ id, after: 1, limit: 1 })
    same(events, [{ kind: 'pins-changed', pins: [1, 2], number: 2, at: 9 }], 'the event')
    same((await loadConversation(tenant, id))?.pins, [1, 2], 'pins')
    same(await viewOf(tenant, 'm'), sampleView(), 'the view')
  },
  'has no derived rows in a fork, nor in a conversation restarted after a purge': async ({
    chat,
    tenant,
  }) => {
    await chat.append({ role: 'user', content: 'a' })
    await change(tenant, { pins: [0], view: { model: 'm', view: sampleView() } })
    const calibration = { model: 'm', calibration: sampleCalibration() }
    await recordRequest(tenant, { id, request: sampleRequest(), calibration })
    const fork = given(await chat.history.fork(1, 'f'))
    const serials = [(await loadState(tenant, { id, model: 'm' }))?.serial]
    const { serial: ofFork, ...forked } = await stateOf(tenant, 'f' as never)
    same(forked, { ...nothingDerived, conversation: await fork.info() }, 'the state of a fork')
    same(await loadRequests(tenant, { id: 'f' as never, limit: 9 }), [], 'the requests of a fork')
    await chat.history.purge({ forks: 'purge' })
    same(await loadState(tenant, { id, model: 'm' }), null, 'the state of nothing')
    same(await loadRequests(tenant, { id, limit: 9 }), null, 'the requests of nothing')
    await chat.append({ role: 'user', content: 'a' })
    const { serial, ...restarted } = await stateOf(tenant, id)
    same(
      restarted,
      { ...nothingDerived, conversation: await chat.info() },
      'the state of a new one',
    )
    same(restarted.conversation.pins, [], 'its pins')
    serials.push(ofFork, serial)
    same(new Set(serials).size, 3, 'serials, of which none comes twice')
  },
})
