/** SQLite details of receipts. */

import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type ConversationId, createThroughline, type Store, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { commitChanges } from '../../src/derived/commit.ts'
import { completeReceipt, loadReceipts, loadWaitingReceipt } from '../../src/derived/receipts.ts'
import {
  sampleFollowUp,
  sampleReceipt,
  sampleRequest,
  sampleView,
} from '../../src/derived/samples.test-support.ts'
import { loadState, recordRequest } from '../../src/derived/state.ts'
import { dump, inProcesses, rowsIn, testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const id = 'c' as ConversationId
const tenantOf = (store: Store) => store.tenant('default' as TenantId)
const view = { model: 'm', view: sampleView() }
const receipt = { receipt: sampleReceipt(), left: { text: 'left', stubs: [1] }, due: 1 }
const newest = async (store: Store) =>
  (await loadReceipts(tenantOf(store), { id, limit: 1, before: null }))?.[0]

const receiptsModule = new URL('../../src/derived/receipts.ts', import.meta.url).href

async function withReceipts(store: Store, count = 1): Promise<void> {
  await createThroughline({ store, clock: { now: () => 7 } })
    .conversation('c')
    .append([...build().user('a').says('b')])
  for (let expectedVersion = 0; expectedVersion < count; expectedVersion += 1)
    await commitChanges(tenantOf(store), { id, expectedVersion, changes: { view, receipt }, at: 0 })
}

describe('receipts in a SQLite file', () => {
  it('are reported as corrupt after another program changed them, and requests still work', async () => {
    const waiting = { left: receipt.left, expanded: [] }
    const body = { receipt: sampleReceipt(), followUp: null, waiting }
    const followUp = sampleFollowUp()
    const changed: readonly unknown[] = [
      null,
      { ...body, receipt: null },
      { ...body, receipt: { ...body.receipt, keeps: ['1'] } },
      { ...body, receipt: { ...body.receipt, line: '4' } },
      { ...body, receipt: { ...body.receipt, tokensByKind: { summary: 'much' } } },
      { ...body, followUp: [] },
      { ...body, followUp: { ...followUp, names: { ...followUp.names, needed: null } } },
      { ...body, waiting: { ...waiting, left: { text: 1, stubs: [] } } },
      { ...body, waiting: { ...waiting, left: null } },
      { ...body, waiting: { ...waiting, expanded: [{}] } },
      { ...body, waiting: null },
    ]
    for (const set of ['{broken', ...changed.map((each) => JSON.stringify(each))]) {
      const driver = new DatabaseSync(':memory:')
      const store = sqlite(driver)
      await withReceipts(store)
      driver.prepare(`UPDATE derived SET body = ? WHERE kind = 'receipt'`).run(set)
      const tenant = tenantOf(store)
      await expect(loadWaitingReceipt(tenant, { id, recorded: 1 }), set).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
      })
      expect((await loadState(tenant, { id, model: 'm' }))?.view, 'the view').toEqual(view.view)
      await store.close()
    }
  })

  it('leave no byte after they are completed or purged', async () => {
    const file = folder.file('purged.db')
    const canary = 'canary-77feed01'
    const store = sqlite(file)
    await withReceipts(store, 0)
    const written = {
      receipt: sampleReceipt({ model: canary }),
      left: { text: canary.repeat(900), stubs: [] },
      due: 1,
    }
    for (const expectedVersion of [0, 1])
      await commitChanges(tenantOf(store), {
        id,
        expectedVersion,
        changes: { receipt: written },
        at: 0,
      })
    const followUp = sampleFollowUp({
      names: { needed: 1, shown: 0, missing: [canary.repeat(40)] },
    })
    const { serial = -1 } = (await loadWaitingReceipt(tenantOf(store), { id, recorded: 1 })) ?? {}
    await completeReceipt(tenantOf(store), {
      id,
      serial,
      version: 1,
      rewrites: 0,
      followUp,
      at: 0,
    })
    expect(readFileSync(`${file}-wal`).includes(canary)).toBe(true)
    expect(await tenantOf(store).purge({ id, forks: 'refuse', at: 1 })).toMatchObject({
      erased: true,
    })
    for (const suffix of ['', '-wal'])
      expect(readFileSync(file + suffix).includes(canary)).toBe(false)
    expect(dump(file)).toContain('["derived",[]]')
    await store.close()
  })

  it('keep nothing for follow-up once they have it', async () => {
    const file = folder.file('completed.db')
    const store = sqlite(file)
    await withReceipts(store)
    await recordRequest(tenantOf(store), { id, expanded: { from: 0, to: 1 } })
    const { serial = -1 } = (await loadWaitingReceipt(tenantOf(store), { id, recorded: 1 })) ?? {}
    const followUp = sampleFollowUp()
    await completeReceipt(tenantOf(store), {
      id,
      serial,
      version: 1,
      rewrites: 0,
      followUp,
      at: 0,
    })
    await store.close()
    const [row] = rowsIn(file, 'derived').filter(({ kind }) => kind === 'receipt')
    expect([row?.['bound'], JSON.parse(String(row?.['body'])).waiting]).toEqual([null, null])
  })

  it('wait for the disk when they are completed, and not when something is expanded', async () => {
    const driver = new DatabaseSync(folder.file('levels.db'))
    const levels: string[] = []
    let isCounted = false
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        const statement = driver.prepare(sql)
        return {
          get: (...values) => statement.get(...values),
          all: (...values) => statement.all(...values),
          run: (...values) => {
            if (isCounted && /^\s*(?:UPDATE derived|INSERT INTO events)/.test(sql))
              levels.push(`${driver.prepare('PRAGMA synchronous').get()?.['synchronous']}`)
            return statement.run(...values)
          },
        }
      },
    })
    await withReceipts(store)
    isCounted = true
    await recordRequest(tenantOf(store), {
      id,
      expanded: { from: 0, to: 1 },
      request: sampleRequest(),
    })
    const { serial = -1 } = (await loadWaitingReceipt(tenantOf(store), { id, recorded: 1 })) ?? {}
    await completeReceipt(tenantOf(store), {
      id,
      serial,
      rewrites: 0,
      version: 1,
      followUp: sampleFollowUp(),
      at: 0,
    })
    expect(levels).toEqual(['1', '2'])
    await store.close()
  })

  it('are found by an index alone', async () => {
    const driver = new DatabaseSync(':memory:')
    const selects = new Set<string>()
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        if (sql.includes("kind = 'receipt'")) selects.add(sql)
        return driver.prepare(sql)
      },
    })
    await withReceipts(store)
    await newest(store)
    await loadWaitingReceipt(tenantOf(store), { id, recorded: 1 })
    await loadState(tenantOf(store), { id, model: 'm' })
    const plans = [...selects].flatMap((sql) =>
      driver
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter((detail) => detail.includes('derived')),
    )
    expect(plans.length).toBeGreaterThanOrEqual(3)
    for (const plan of plans)
      expect(plan).toMatch(/^SEARCH derived USING .*INDEX \w+ \(conversation=\? AND kind=\?/)
    await store.close()
  })

  it('are completed once by several processes, with one event', async () => {
    const file = folder.file('shared.db')
    const store = sqlite(file)
    await withReceipts(store)
    const script = `
      import { sqlite } from 'throughline/stores/sqlite'
      import { completeReceipt } from ${JSON.stringify(receiptsModule)}
      const store = sqlite(${JSON.stringify(file)})
      const tenant = store.tenant('default')
      const followUp = ${JSON.stringify(sampleFollowUp())}
      const command = { id: 'c', serial: 1, version: 1, rewrites: 0, followUp, at: 0 }
      await completeReceipt(tenant, { ...command, followUp: { ...followUp, recalls: process.pid } })
      await store.close()`
    expect(await inProcesses(3, script)).toEqual([0, 0, 0])
    const events = await tenantOf(store).events({ id, after: 0, limit: 99 })
    const completed = events?.filter((event) => event.kind === 'receipt-completed')
    expect(completed).toHaveLength(1)
    expect(completed?.[0]).toMatchObject({ recalls: (await newest(store))?.followUp?.recalls })
    await store.close()
  })
})
