/** Inserts: kept for the epoch, the first for each message, and removed with their sources. */

import type { ConversationId } from '../domain/ids.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import type { Insert } from '../domain/view.ts'
import type { TenantStore } from '../ports/store.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { given, same } from '../testing/contract.ts'
import { append, hardText, id } from '../testing/store-cases/case.test-support.ts'
import { change } from './changes.test-support.ts'
import { sampleView } from './samples.test-support.ts'
import { loadConversation, loadState, recordRequest } from './state.ts'

const insert = (before: number, changes: Partial<Insert> = {}): Insert => ({
  epoch: 1,
  before,
  of: `hash of ${before}`,
  text: `told before ${before}`,
  opens: false,
  sources: [{ from: 1, to: 3 }],
  ...changes,
})

const view = (epoch: number, model = 'm', insertsOf?: number) => {
  const made = sampleView({ epoch, line: 4 })
  return { view: { model, view: insertsOf === undefined ? made : { ...made, insertsOf } } }
}

const recalled = (tenant: TenantStore, inserts: readonly Insert[], model = 'm') =>
  recordRequest(tenant, { id, recalled: { model, inserts } })

const inserts = async (tenant: TenantStore, model = 'm', of: ConversationId = id) =>
  (await loadState(tenant, { id: of, model }))?.inserts

const places = async (tenant: TenantStore, model = 'm') =>
  (await inserts(tenant, model))?.map(({ before }) => before)

onBothStores('inserts', {
  'keeps inserts unchanged, in the order of their places': async ({ tl, tenant }) => {
    same((await recalled(tenant, [insert(5)])).kind, 'not-found', 'for nothing')
    await append(tl, 'c', 9)
    await change(tenant, view(1))
    same(await inserts(tenant), [], 'before the first')
    const version = (await loadConversation(tenant, id))?.version
    const spans = [
      { from: 0, to: 1 },
      { from: 2, to: 4 },
    ]
    const hard = insert(8, { text: hardText, sources: spans })
    same((await recalled(tenant, [hard, insert(6)])).kind, 'recorded', 'recording')
    await recalled(tenant, [insert(5)])
    same(await inserts(tenant), [insert(5), insert(6), hard], 'what was recalled')
    same((await loadConversation(tenant, id))?.version, version, 'the version')
    const seen = await loadState(tenant, { id, model: 'm', seenVersion: version })
    same(seen?.inserts.length, 3, 'with a view that was seen')
  },
  'keeps the first insert of a message, and none of another message at its place': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 9)
    await change(tenant, view(1))
    await recalled(tenant, [insert(5), insert(5, { text: 'later' })])
    await recalled(tenant, [insert(5, { text: 'later still' }), insert(7)])
    same(await inserts(tenant), [insert(5), insert(7)], 'the first')
    const other = insert(5, { of: 'another hash' })
    await recalled(tenant, [other])
    same(await inserts(tenant), [other, insert(7)], 'for what came instead')
  },
  'returns inserts only for their model and their epoch': async ({ tl, tenant }) => {
    await append(tl, 'c', 9)
    await recalled(tenant, [insert(5)])
    same(await inserts(tenant), [], 'without a view')
    for (const model of ['m', 'n', hardText]) await change(tenant, view(1, model))
    await recalled(tenant, [insert(6, { epoch: 2 })])
    await recalled(tenant, [insert(7)], 'n')
    await recalled(tenant, [insert(8)], hardText)
    same(await places(tenant), [5], 'of the first epoch')
    same(await places(tenant, 'n'), [7], 'of another model')
    same(await places(tenant, hardText), [8], 'of a model with a hard name')
    await change(tenant, view(2))
    same(await places(tenant), [6], 'of the next epoch')
    await change(tenant, view(3, 'm', 1))
    same(await places(tenant), [5], 'of a view that keeps the inserts of another epoch')
    await change(tenant, { view: { model: 'm', view: null } })
    same(await places(tenant), [], 'where everything is shown')
  },
  'keeps the newest inserts of all models together': async ({ tl, tenant }) => {
    await append(tl, 'c', 9)
    for (const model of ['m', 'n']) await change(tenant, view(1, model))
    await recalled(tenant, [insert(9_000), insert(8_000)], 'n')
    const most = Array.from({ length: keptRows.inserts - 1 }, (_, index) => insert(5_000 - index))
    await recalled(tenant, most)
    same(await places(tenant, 'n'), [8_000], 'the oldest had to go')
    same((await places(tenant))?.length, keptRows.inserts - 1, 'those of the other model')
    await recalled(tenant, [insert(1)])
    same(await places(tenant, 'n'), [], 'then the next')
    same((await places(tenant))?.at(0), 1, 'the newest')
  },
  'removes an insert with a message that it quotes, or that it was recalled for': async ({
    tl,
    chat,
    tenant,
  }) => {
    await append(tl, 'c', 12)
    await change(tenant, {
      view: { model: 'm', view: sampleView({ line: 0, history: null, stubs: [], keeps: [] }) },
    })
    const described = (before: number, seq: number) =>
      insert(before, { sources: [{ from: seq, to: seq + 1 }] })
    await recalled(tenant, [described(6, 2), described(7, 3), described(8, 4), described(9, 5)])
    given(await chat.history.edit('#2', { role: 'user', content: 'other words' }))
    same(await places(tenant), [7, 8, 9], 'of one that was edited')
    given(await chat.history.remove('#3'))
    same(await places(tenant), [8, 9], 'of one that was removed')
    await chat.history.purgeMessage('#4')
    same(await places(tenant), [9], 'of one that was purged')
    given(await chat.history.edit('#9', { role: 'user', content: 'another question' }))
    same(await places(tenant), [], 'for one that was edited')
  },
  'has no inserts for forks, other tenants, or after the conversation was purged': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 9)
    await change(tenant, view(1))
    await recalled(tenant, [insert(5)])
    given(await tl.conversation('c').history.fork(8, 'f'))
    const fork = 'f' as ConversationId
    await change(tenant, view(1), fork)
    same(await inserts(tenant, 'm', fork), [], 'of a fork')
    same(await places(tenant), [5], 'of its source')
    await tl.conversation('c').history.purge({ forks: 'purge' })
    await append(tl, 'c', 9)
    await change(tenant, view(1))
    same(await inserts(tenant), [], 'of a new one')
  },
})
