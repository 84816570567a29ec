/** What SQLite in particular promises of receipts. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type ConversationId, createThroughline, type Store, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import {
  sampleHindsight,
  sampleReceipt,
  sampleRequest,
  sampleView,
} from '../../src/testing/derived-samples.ts'
import { writeSchema1 } from './schema-1.ts'
import { dump, inProcesses, testFolder, undoLaterMigrations } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const id = 'c' as ConversationId
const tenantOf = (store: Store) => store.tenant('default' as TenantId)
const view = { model: 'm', view: sampleView() }
const receipt = { receipt: sampleReceipt(), left: { text: 'left', stubs: [1] }, due: 1 }
const newest = async (store: Store) =>
  (await tenantOf(store).receipts({ id, limit: 1, before: null }))?.[0]

async function withReceipts(store: Store, count = 1): Promise<void> {
  await createThroughline({ store, clock: { now: () => 7 } })
    .conversation('c')
    .append([...build().user('a').says('b')])
  for (let expectedVersion = 0; expectedVersion < count; expectedVersion += 1)
    await tenantOf(store).commit({ id, expectedVersion, changes: { view, receipt }, at: 0 })
}

describe('a file from before there were receipts', () => {
  it('is taken over from the first release, and receipts are written in it', async () => {
    const file = folder.file('first.db')
    await writeSchema1(file, 'c', [...build().user('a').says('b')])
    const store = sqlite(file)
    expect(await newest(store)).toBeUndefined()
    expect(await tenantOf(store).state({ id, model: 'm' })).toMatchObject({ hindsightDue: null })
    await tenantOf(store).commit({ id, expectedVersion: 0, changes: { receipt }, at: 0 })
    await store.close()
    const again = sqlite(file)
    expect(await newest(again)).toEqual({ ...sampleReceipt(), version: 1, hindsight: null })
    await again.close()
  })

  it('is taken over from the release before, with all that it holds', async () => {
    const [file, today] = [folder.file('fourth.db'), folder.file('today.db')]
    for (const one of [file, today]) {
      const store = sqlite(one)
      await withReceipts(store, 0)
      await tenantOf(store).commit({ id, expectedVersion: 0, changes: { view }, at: 0 })
      await store.close()
    }
    const database = new DatabaseSync(file)
    database.exec(undoLaterMigrations)
    database.exec('DROP TABLE receipts; PRAGMA user_version = 4')
    database.close()
    await sqlite(file).close()
    expect(dump(file)).toBe(dump(today))
    expect(dump(file)).toContain('"receipts"')
  })
})

describe('receipts in a SQLite file', () => {
  it('are reported as corrupt when they were changed from outside, and no request is', async () => {
    const body = JSON.stringify(sampleReceipt())
    const hindsight = JSON.stringify(sampleHindsight())
    const changed: readonly string[] = [
      `body = '{broken'`,
      `body = 'null'`,
      `body = '${body.replace('"keeps":[1,3]', '"keeps":["1"]')}'`,
      `body = '${body.replace('"line":4', '"line":"4"')}'`,
      `body = '${body.replace('"summary":100', '"summary":"much"')}'`,
      `hindsight = '[]'`,
      `hindsight = '${hindsight.replace('"needed":4', '"needed":null').replaceAll("'", "''")}'`,
      `left_text = '{"text":1,"stubs":[]}'`,
      `left_text = NULL`,
      `expanded = '[{}]'`,
      `expanded = NULL`,
    ]
    for (const set of changed) {
      const driver = new DatabaseSync(':memory:')
      const store = sqlite(driver)
      await withReceipts(store)
      driver.exec(`UPDATE receipts SET ${set}`)
      const tenant = tenantOf(store)
      await expect(tenant.waiting({ id, recorded: 1 }), set).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
      })
      expect((await tenant.state({ id, model: 'm' }))?.view, 'the view').toEqual(view.view)
      await store.close()
    }
  })

  it('leave no byte behind when they are completed or purged', async () => {
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
      await tenantOf(store).commit({
        id,
        expectedVersion,
        changes: { receipt: written },
        at: 0,
      })
    const hindsight = sampleHindsight({
      names: { needed: 1, shown: 0, missing: [canary.repeat(40)] },
    })
    const { serial = -1 } = (await tenantOf(store).waiting({ id, recorded: 1 })) ?? {}
    await tenantOf(store).complete({ id, serial, version: 1, rewrites: 0, hindsight, at: 0 })
    expect(readFileSync(`${file}-wal`).includes(canary)).toBe(true)
    expect(await tenantOf(store).purge({ id, forks: 'refuse', at: 1 })).toMatchObject({
      erased: true,
    })
    for (const suffix of ['', '-wal'])
      expect(readFileSync(file + suffix).includes(canary)).toBe(false)
    expect(dump(file)).toContain('["receipts",[]]')
    await store.close()
  })

  it('keep nothing for hindsight once they have it', async () => {
    const file = folder.file('completed.db')
    const store = sqlite(file)
    await withReceipts(store)
    await tenantOf(store).record({ id, expanded: { from: 0, to: 1 } })
    const { serial = -1 } = (await tenantOf(store).waiting({ id, recorded: 1 })) ?? {}
    const hindsight = sampleHindsight()
    await tenantOf(store).complete({ id, serial, version: 1, rewrites: 0, hindsight, at: 0 })
    await store.close()
    expect(dump(file)).toContain('"due":null,"left_text":null,"expanded":null')
  })

  it('wait for the disk when they are completed, and not when something is expanded', async () => {
    const driver = new DatabaseSync(folder.file('levels.db'))
    const levels: string[] = []
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        if (/^\s*UPDATE receipts/.test(sql))
          levels.push(`${driver.prepare('PRAGMA synchronous').get()?.['synchronous']}`)
        return driver.prepare(sql)
      },
    })
    await withReceipts(store)
    await tenantOf(store).record({ id, expanded: { from: 0, to: 1 }, request: sampleRequest() })
    const { serial = -1 } = (await tenantOf(store).waiting({ id, recorded: 1 })) ?? {}
    await tenantOf(store).complete({
      id,
      serial,
      rewrites: 0,
      version: 1,
      hindsight: sampleHindsight(),
      at: 0,
    })
    expect(levels).toEqual(['1', '2'])
    await store.close()
  })

  it('are found by their keys alone', async () => {
    const driver = new DatabaseSync(':memory:')
    const selects = new Set<string>()
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        if (/^SELECT.*FROM receipts|min\(due\)/s.test(sql)) selects.add(sql)
        return driver.prepare(sql)
      },
    })
    await withReceipts(store)
    await newest(store)
    await tenantOf(store).waiting({ id, recorded: 1 })
    await tenantOf(store).state({ id, model: 'm' })
    const plans = [...selects].flatMap((sql) =>
      driver
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter((detail) => detail.includes('receipts')),
    )
    expect(plans).toHaveLength(3)
    for (const plan of plans) expect(plan).toMatch(/^SEARCH receipts USING .*INDEX/)
    await store.close()
  })

  it('are completed once by several processes, with one event', async () => {
    const file = folder.file('shared.db')
    const store = sqlite(file)
    await withReceipts(store)
    const script = `
      import { sqlite } from 'throughline/stores/sqlite'
      const store = sqlite(${JSON.stringify(file)})
      const tenant = store.tenant('default')
      const hindsight = ${JSON.stringify(sampleHindsight())}
      const command = { id: 'c', serial: 1, version: 1, rewrites: 0, hindsight, at: 0 }
      await tenant.complete({ ...command, hindsight: { ...hindsight, recalls: process.pid } })
      await store.close()`
    expect(await inProcesses(3, script)).toEqual([0, 0, 0])
    const events = await tenantOf(store).events({ id, after: 0, limit: 99 })
    const told = events?.filter((event) => event.kind === 'receipt-completed')
    expect(told).toHaveLength(1)
    expect(told?.[0]).toMatchObject({ recalls: (await newest(store))?.hindsight?.recalls })
    await store.close()
  })
})
