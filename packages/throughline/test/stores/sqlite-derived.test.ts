/** SQLite details of pins, views, requests and calibrations. */

import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type ConversationId, createThroughline, type Store, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { commitChanges } from '../../src/derived/commit.ts'
import {
  sampleCalibration,
  sampleRequest,
  sampleView,
} from '../../src/derived/samples.test-support.ts'
import { loadState, recordRequest } from '../../src/derived/state.ts'
import { faultyDriver } from '../../src/testing/faulty-driver.test-support.ts'
import { testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const id = 'c' as ConversationId
const tenantOf = (store: Store) => store.tenant('default' as TenantId)
const calibration = { model: 'm', calibration: sampleCalibration() }
const everything = { title: 'T', pins: [0, 1], view: { model: 'm', view: sampleView() } }

/** A conversation with derived rows of each kind. */
async function withEverything(store: Store): Promise<void> {
  await createThroughline({ store })
    .conversation('c')
    .append([...build().user('a').says('b')])
  await commitChanges(tenantOf(store), { id, expectedVersion: 0, changes: everything, at: 0 })
  await recordRequest(tenantOf(store), { id, calibration })
  await recordRequest(tenantOf(store), { id, request: sampleRequest() })
}

describe('recording a request', () => {
  const levelOf = (driver: DatabaseSync) =>
    driver.prepare('PRAGMA synchronous').get()?.['synchronous']

  it('does not wait for the disk, but later writes do', async () => {
    const driver = new DatabaseSync(folder.file('levels.db'))
    const levels: unknown[] = []
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        if (sql.includes('max(position) FROM derived')) levels.push(levelOf(driver))
        return driver.prepare(sql)
      },
    })
    await withEverything(store)
    expect([levels, levelOf(driver)]).toEqual([[1], 2])
    expect(await recordRequest(tenantOf(store), { id: 'x' as ConversationId })).toEqual({
      kind: 'not-found',
    })
    expect(levelOf(driver)).toBe(2)
    await store.close()
  })

  it('changes nothing in a store that never waits for the disk', async () => {
    const driver = new DatabaseSync(folder.file('normal-levels.db'))
    const store = sqlite(driver, { durability: 'normal' })
    await withEverything(store)
    expect(levelOf(driver)).toBe(1)
    await store.close()
  })

  it('is refused inside a transaction of the caller, which continues', async () => {
    const driver = new DatabaseSync(folder.file('owner.db'))
    const store = sqlite(driver)
    await withEverything(store)
    driver.exec('CREATE TABLE mine (x)')
    driver.exec('BEGIN; INSERT INTO mine VALUES (1)')
    const record = () => recordRequest(tenantOf(store), { id, request: sampleRequest() })
    await expect(record()).rejects.toMatchObject({ code: 'STORE_FAILED' })
    driver.exec('COMMIT')
    expect(driver.prepare('SELECT count(*) AS n FROM mine').get()).toEqual({ n: 1 })
    expect([await record(), levelOf(driver)]).toEqual([{ kind: 'recorded' }, 2])
    await store.close()
  })

  it('never leaves a later commit unsynced, whichever call fails', async () => {
    for (let at = 1, fired = true; fired; at += 1)
      for (const [when, rollbackToo] of [
        ['before', false],
        ['before', true],
        ['after', false],
      ] as const) {
        const inner = new DatabaseSync(':memory:')
        const driver = faultyDriver(inner)
        const store = sqlite(driver)
        await withEverything(store)
        driver.arm({ at, when, resultCode: 10, rollbackToo })
        await recordRequest(tenantOf(store), { id, request: sampleRequest(), calibration }).catch(
          () => null,
        )
        fired = driver.fired
        driver.arm(null)
        const commit = { id, expectedVersion: 1, changes: { title: 'U' }, at: 0 }
        expect((await commitChanges(tenantOf(store), commit)).kind).toBe('committed')
        expect(levelOf(inner), `call ${at}, ${when}`).toBe(2)
        await store.close()
      }
  })
})

describe('derived rows', () => {
  it('are reported as corrupt after another program changed them', async () => {
    const changed: readonly string[] = [
      `UPDATE derived SET body = '{broken' WHERE kind = 'view'`,
      `UPDATE derived SET body = 'null' WHERE kind = 'view'`,
      `UPDATE derived SET body = '{"epoch":1,"line":0,"keeps":["x"],"stubs":[]}' WHERE kind = 'view'`,
      `UPDATE derived SET body = '[]' WHERE kind = 'calibration'`,
      `UPDATE derived SET body = '{"fingerprint":"f"}' WHERE kind = 'request'`,
      `UPDATE conversations SET pins = '7'`,
      `UPDATE conversations SET pins = '[null]'`,
    ]
    for (const sql of changed) {
      const driver = new DatabaseSync(':memory:')
      const store = sqlite(driver)
      await withEverything(store)
      driver.exec(sql)
      const look = loadState(tenantOf(store), { id, model: 'm' })
      await expect(look, sql).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
      await store.close()
    }
  })

  it('of another model are not read, so that damage in them has no effect', async () => {
    const driver = new DatabaseSync(':memory:')
    const store = sqlite(driver)
    await withEverything(store)
    driver.exec(`UPDATE derived SET body = '{broken' WHERE kind = 'view'`)
    expect((await loadState(tenantOf(store), { id, model: 'n' }))?.view).toBeNull()
    await store.close()
  })

  it('leave no byte after a purge', async () => {
    const file = folder.file('purged.db')
    const canary = 'canary-90ab12ef'
    const store = sqlite(file)
    await withEverything(store)
    for (let epoch = 1; epoch < 9; epoch += 1) {
      const view = { model: `${canary} ${epoch}`, view: sampleView({ basis: canary.repeat(900) }) }
      await commitChanges(tenantOf(store), { id, expectedVersion: epoch, changes: { view }, at: 0 })
      const request = sampleRequest({ model: canary, fingerprint: canary })
      const learned = sampleCalibration({ modelId: canary })
      await recordRequest(tenantOf(store), {
        id,
        request,
        calibration: { model: `${canary} ${epoch}`, calibration: learned },
      })
    }
    expect(readFileSync(`${file}-wal`).includes(canary)).toBe(true)
    expect(await tenantOf(store).purge({ id, forks: 'refuse', at: 1 })).toMatchObject({
      erased: true,
    })
    for (const suffix of ['', '-wal'])
      expect(readFileSync(file + suffix).includes(canary)).toBe(false)
    await store.close()
  })
})
