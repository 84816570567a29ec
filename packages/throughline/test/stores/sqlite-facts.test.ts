/** What SQLite in particular promises of facts and ledgers. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type ConversationId, createThroughline, type Store, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { sampleFacts, sampleLedger, sampleView } from '../../src/testing/derived-samples.ts'
import { writeSchema1 } from './schema-1.ts'
import { dump, testFolder, undoLaterMigrations } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const id = 'c' as ConversationId
const span = { from: 0, to: Number.MAX_SAFE_INTEGER }
const tenantOf = (store: Store) => store.tenant('default' as TenantId)
const facts = { rows: [sampleFacts(), sampleFacts({ seq: 1 })], ledger: sampleLedger({ to: 2 }) }
const view = { model: 'm', view: sampleView() }

async function withFacts(store: Store): Promise<void> {
  await createThroughline({ store })
    .conversation('c')
    .append([...build().user('a').says('b')])
  await tenantOf(store).commit({ id, expectedVersion: 0, changes: { view, facts }, at: 0 })
}

describe('a file from before there were facts', () => {
  it('is taken over from the first release, and facts are noted in it', async () => {
    const file = folder.file('first.db')
    await writeSchema1(file, 'c', [...build().user('a').says('b')])
    const store = sqlite(file)
    const tenant = tenantOf(store)
    expect([await tenant.facts({ id, span }), await tenant.ledger({ id })]).toEqual([[], null])
    await tenant.commit({ id, expectedVersion: 0, changes: { facts }, at: 0 })
    await store.close()
    const again = sqlite(file)
    expect(await tenantOf(again).facts({ id, span })).toEqual(facts.rows)
    expect(await tenantOf(again).ledger({ id })).toEqual(facts.ledger)
    await again.close()
  })

  it('is taken over from the last release without them, with all that it holds', async () => {
    const [file, today] = [folder.file('third.db'), folder.file('today.db')]
    for (const one of [file, today]) {
      const store = sqlite(one)
      await createThroughline({ store, clock: { now: () => 7 } })
        .conversation('c')
        .append([...build().user('a').says('b')])
      await tenantOf(store).commit({ id, expectedVersion: 0, changes: { view }, at: 0 })
      await store.close()
    }
    const database = new DatabaseSync(file)
    database.exec(undoLaterMigrations)
    database.exec('DROP TABLE facts; DROP TABLE ledgers; DROP TABLE receipts')
    database.exec('PRAGMA user_version = 3')
    database.close()
    await sqlite(file).close()
    expect(dump(file)).toBe(dump(today))
    expect(dump(file)).toContain('"facts"')
  })
})

describe('facts in a SQLite file', () => {
  it('are reported as corrupt when they were changed from outside', async () => {
    const entry = JSON.stringify(sampleLedger().entries[0])
    const changed: readonly string[] = [
      `UPDATE facts SET body = '{broken'`,
      `UPDATE facts SET body = 'null'`,
      `UPDATE facts SET body = '{"trust":"user","facts":[],"digest":"x"}'`,
      `UPDATE facts SET body = '{"trust":"user","facts":[]}'`,
      `UPDATE facts SET body = '{"trust":"system","facts":[],"digest":null}'`,
      `UPDATE facts SET body = '{"trust":"user","facts":{},"digest":null}'`,
      `UPDATE facts SET body = '{"trust":"user","facts":[null],"digest":null}'`,
      `UPDATE facts SET body = '{"trust":"user","facts":[{"kind":"file","key":1}],"digest":null}'`,
      `UPDATE ledgers SET body = '[]'`,
      `UPDATE ledgers SET body = '{"to":"2","entries":[]}'`,
      `UPDATE ledgers SET body = '{"to":2,"entries":[{}]}'`,
      `UPDATE ledgers SET body = '{"to":2,"entries":[${entry.replace('[0,3]', '["0"]')}]}'`,
      `UPDATE ledgers SET body = '{"to":2,"entries":[${entry.replace('"user":1,', '')}]}'`,
      `UPDATE ledgers SET body = '{"to":2,"entries":[${entry.replace('"tool",', '"root",')}]}'`,
    ]
    for (const sql of changed) {
      const driver = new DatabaseSync(':memory:')
      const store = sqlite(driver)
      await withFacts(store)
      driver.exec(sql)
      const tenant = tenantOf(store)
      const look = sql.includes('ledgers') ? tenant.ledger({ id }) : tenant.facts({ id, span })
      await expect(look, sql).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
      expect((await tenant.state({ id, model: 'm' }))?.view, 'the view').toEqual(view.view)
      await store.close()
    }
  })

  it('leave no byte behind when they are replaced or purged', async () => {
    const file = folder.file('purged.db')
    const canary = 'canary-51c0ffee'
    const store = sqlite(file)
    await withFacts(store)
    const noted = (text: string) => ({
      rows: [sampleFacts({ digest: { by: 'user', text } }), sampleFacts({ seq: 1 })],
      ledger: sampleLedger({
        entries: sampleLedger().entries.map((one) => ({ ...one, value: text })),
      }),
    })
    for (const [index, size] of [1, 900, 40].entries()) {
      const changes = { facts: noted(canary.repeat(size)) }
      await tenantOf(store).commit({ id, expectedVersion: index + 1, changes, at: 0 })
    }
    expect(readFileSync(`${file}-wal`).includes(canary)).toBe(true)
    expect(await tenantOf(store).purge({ id, forks: 'refuse', at: 1 })).toMatchObject({
      erased: true,
    })
    for (const suffix of ['', '-wal'])
      expect(readFileSync(file + suffix).includes(canary)).toBe(false)
    expect(dump(file)).toContain('["facts",[]]')
    expect(dump(file)).toContain('["ledgers",[]]')
    await store.close()
  })

  it('are written by one statement, prepared once, however many they are', async () => {
    const driver = new DatabaseSync(':memory:')
    const prepared: string[] = []
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        prepared.push(sql)
        return driver.prepare(sql)
      },
    })
    const messages = Array.from({ length: 2_000 }, () => ({ role: 'user', content: 'x' }) as const)
    await createThroughline({ store }).conversation('c').append(messages)
    const rows = messages.map((_, seq) => sampleFacts({ seq }))
    const changes = { facts: { rows, ledger: sampleLedger() } }
    await tenantOf(store).commit({ id, expectedVersion: 0, changes, at: 0 })
    expect(await tenantOf(store).facts({ id, span })).toEqual(rows)
    expect(prepared.filter((sql) => sql.includes('INSERT INTO facts'))).toHaveLength(1)
    await store.close()
  })

  it('are found by their key alone, in either order', async () => {
    const driver = new DatabaseSync(':memory:')
    const selects = new Set<string>()
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        if (sql.includes('FROM facts')) selects.add(sql)
        return driver.prepare(sql)
      },
    })
    await withFacts(store)
    for (const newestFirst of [true, false]) await tenantOf(store).facts({ id, span, newestFirst })
    const plans = [...selects].map((sql) =>
      driver
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail),
    )
    const search = ['SEARCH facts USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)']
    expect(plans).toEqual([search, search])
    await store.close()
  })

  it('stay with their message where conversations are numbered in millions', async () => {
    const driver = new DatabaseSync(':memory:')
    const store = sqlite(driver)
    await withFacts(store)
    driver.exec('UPDATE sqlite_sequence SET seq = 4000000000')
    const tenant = tenantOf(store)
    const late = { id: 'late' as ConversationId, title: null, meta: null, parent: null, at: 0 }
    // Messages of its own are not needed: it shares those of its source.
    await tenant.create({ ...late, forkedFrom: { conversationId: id, at: 2 } })
    const rows = facts.rows.map((row) => ({ ...row, trust: 'tool' as const }))
    const changes = { facts: { rows, ledger: facts.ledger } }
    await tenant.commit({ id: late.id, expectedVersion: 0, changes, at: 0 })
    expect(await tenant.facts({ id: late.id, span })).toEqual(rows)
    expect(await tenant.facts({ id, span })).toEqual(facts.rows)
    await store.close()
  })
})
