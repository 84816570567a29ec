/**
 * Versions of views: listed, loaded and restored, with the summaries that are withdrawn and
 * reinstated.
 */

import type { EpochCause } from '../domain/decision.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import { newAskState } from '../domain/model-calls.ts'
import type { TenantStore } from '../ports/store.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { given, same } from '../testing/contract.ts'
import { append, hardText, id } from '../testing/store-cases/case.test-support.ts'
import { change } from './changes.test-support.ts'
import type { ConversationChanges } from './changes.ts'
import { commitChanges } from './commit.ts'
import { loadVersionedView, loadVersions, type VersionsQuery } from './receipts.ts'
import { loadSummaries, loadSummaryBefore } from './rows.ts'
import { sampleSummarized, sampleSummary, sampleView } from './samples.test-support.ts'
import { loadState } from './state.ts'

const all = { id, model: null, limit: 1_000 }

const view = (model: string, epoch: number, cause: EpochCause = 'trigger') => ({
  view: { model, view: sampleView({ epoch, cause, line: epoch }) },
})

const numbers = async (tenant: TenantStore, query: Partial<VersionsQuery> = {}) =>
  (await loadVersions(tenant, { ...all, ...query }))?.map(({ version }) => version)

const current = async (tenant: TenantStore) =>
  (await loadVersions(tenant, all))?.filter((each) => each.current).map(({ version }) => version)

const restored = { of: 1, withdrawn: [], returned: [] }

onBothStores('versions of views', {
  'keeps each view that was in force under the version of its commit, as it was': async ({
    tl,
    tenant,
  }) => {
    same(await loadVersions(tenant, all), null, 'versions of nothing')
    same(await loadVersionedView(tenant, { id, version: 1 }), null, 'a view of nothing')
    await append(tl, 'c', 6)
    same(await loadVersions(tenant, all), [], 'versions before the first')
    const { history } = sampleView()
    const written = {
      id: 's1',
      by: 'model',
      to: 4,
      version: 1,
      tokensUsed: 9,
      depth: 0,
      withoutTools: false,
    } as const
    const first = sampleView({ beganTokens: 900.5, history: history && { ...history, written } })
    await change(tenant, { view: { model: hardText, view: first } })
    await change(tenant, { title: 'T' })
    await change(tenant, view('n', 2, 'manual'))
    const common = { of: null, at: 9, current: true }
    same(
      await loadVersions(tenant, all),
      [
        {
          version: 3,
          model: 'n',
          epoch: 2,
          cause: 'manual',
          line: 2,
          tokens: 900,
          summaryId: null,
          ...common,
        },
        {
          version: 1,
          model: hardText,
          epoch: 1,
          cause: 'first',
          line: 4,
          tokens: 900.5,
          summaryId: 's1',
          ...common,
        },
      ],
      'versions',
    )
    same(
      await loadVersionedView(tenant, { id, version: 1 }),
      { model: hardText, view: first },
      'the first',
    )
    same(await loadVersionedView(tenant, { id, version: 2 }), null, 'a version without a view')
    same(await numbers(tenant, { model: hardText }), [1], 'of one model')
    same(await numbers(tenant, { model: hardText.toWellFormed() }), [], 'of one that looks alike')
    same(await numbers(tenant, { limit: 1 }), [3], 'the newest')
  },
  'marks the versions in force, also where a view has ended': async ({ tl, tenant }) => {
    await append(tl, 'c', 6)
    for (const changes of [view('m', 1), view('m', 2), view('n', 1)]) await change(tenant, changes)
    same(await current(tenant), [3, 2], 'the newest of each model')
    same(
      (await loadVersionedView(tenant, { id, version: 1 }))?.view?.epoch,
      1,
      'the view of an older one',
    )
    await change(tenant, { view: { model: 'm', view: null } })
    same(await current(tenant), [4, 3], 'one that ended')
    const [ended] = (await loadVersions(tenant, all)) ?? []
    same([ended?.epoch, ended?.cause, ended?.line], [null, null, 0], 'what shows everything')
    same(
      await loadVersionedView(tenant, { id, version: 4 }),
      { model: 'm', view: null },
      'its view',
    )
    for (let index = 0; index < keptRows.views; index += 1)
      await change(tenant, view(`model ${index}`, 1))
    same((await current(tenant))?.includes(3), false, 'a view that was dropped for others')
    same((await loadVersionedView(tenant, { id, version: 3 }))?.model, 'n', 'its version is kept')
  },
  'keeps the newest versions, and none after a purge or for forks': async ({
    tl,
    store,
    tenant,
  }) => {
    await append(tl, 'c', 6)
    const count = keptRows.versions + 3
    for (let index = 1; index <= count; index += 1) await change(tenant, view(`m${index % 2}`, 1))
    const expected = Array.from({ length: keptRows.versions }, (_, index) => count - index)
    same(await numbers(tenant), expected, 'versions')
    same(await loadVersionedView(tenant, { id, version: 3 }), null, 'one that had to go')
    same(
      (await loadVersionedView(tenant, { id, version: 4 }))?.model,
      'm0',
      'the oldest that is left',
    )
    given(await tl.conversation('c').history.fork(3, 'f'))
    same(await loadVersions(tenant, { ...all, id: 'f' as typeof id }), [], 'of a fork')
    same(await loadVersions(store.tenant('other' as never), all), null, 'of another tenant')
    await tl.conversation('c').history.purge({ forks: 'purge' })
    await append(tl, 'c', 1)
    same(await numbers(tenant), [], 'of a new one')
  },
  'restores a view in one commit with the summaries that it withdraws and reinstates': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 20)
    for (const [name, to] of [
      ['a', 4],
      ['b', 8],
      ['c', 12],
    ] as const) {
      const record = sampleSummary({ id: name, covers: { from: 0, to } })
      await change(tenant, { ...view('m', to), summarized: sampleSummarized({ record }) })
    }
    given(await tl.conversation('c').history.fork(10, 'f'))
    const before = async (place: number, of = id) =>
      (await loadSummaryBefore(tenant, { id: of, place }))?.id ?? null
    const marks = async () =>
      (await loadSummaries(tenant, { id, limit: 9, skip: 0 }))?.map((each) => [
        each.id,
        each.withdrawn,
      ])
    const events = (await tenant.events({ id, after: 0, limit: 99 }))?.length ?? 0
    const withdrawing = { of: 1, withdrawn: ['b', 'c', 'unknown'], returned: [] }
    await change(tenant, { ...view('m', 13, 'restored'), restored: withdrawing })
    same(
      await marks(),
      [
        ['c', true],
        ['b', true],
        ['a', false],
      ],
      'withdrawn',
    )
    same([await before(12), await before(8)], ['a', 'a'], 'what is gone on from')
    same(await before(10, 'f' as typeof id), 'a', 'also by a fork')
    same((await loadVersions(tenant, all))?.[0]?.of, 1, 'what was restored')
    same(
      (await tenant.events({ id, after: events, limit: 9 }))?.map(
        ({ number: _, at: __, ...each }) => each,
      ),
      [
        { kind: 'epoch-began', model: 'm', epoch: 13, cause: 'restored' },
        { kind: 'view-restored', model: 'm', version: 4, ...withdrawing },
      ],
      'events',
    )
    const returning = { of: 2, withdrawn: [], returned: ['b'] }
    await change(tenant, { ...view('m', 14, 'restored'), restored: returning })
    same(
      await marks(),
      [
        ['c', true],
        ['b', false],
        ['a', false],
      ],
      'brought back',
    )
    same(await before(12), 'b', 'what is gone on from then')
    const refused = { ...restored, withdrawn: ['a'] }
    const changes: ConversationChanges = { ...view('m', 15, 'restored'), restored: refused }
    const outcome = await commitChanges(tenant, { id, expectedVersion: 1, changes, at: 9 })
    same(outcome.kind, 'version-moved', 'a commit to an older version')
    same([await before(4), (await numbers(tenant))?.[0]], ['a', 5], 'changes nothing')
  },
  'keeps the summary of a person with its view, and the cost of a failed one': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 6)
    const record = sampleSummary({ id: 'p', text: hardText })
    await change(tenant, { ...view('m', 2, 'summary-edited'), edited: { model: 'm', record } })
    same((await loadSummaryBefore(tenant, { id, place: 9 }))?.text, hardText, 'the summary')
    same((await loadState(tenant, { id, model: 'm' }))?.asking, null, 'nothing was asked for it')
    const event = (await tenant.events({ id, after: 2, limit: 9 }))?.at(-1)
    const { id: summary, tokens } = record
    same(
      event,
      { number: 4, at: 9, kind: 'summary-edited', model: 'm', summary, tokens },
      'the event',
    )
    const asking = { ...newAskState, spent: [{ at: 7, usd: 0.25 }] }
    await change(tenant, { asking })
    const state = await loadState(tenant, { id, model: 'm' })
    same([state?.asking, state?.view?.epoch], [asking, 2], 'what was spent')
    same((await loadSummaries(tenant, { id, limit: 9, skip: 0 }))?.length, 1, 'summaries')
  },
})
