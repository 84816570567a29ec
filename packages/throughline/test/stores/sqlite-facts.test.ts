/** SQLite details of facts and ledgers. */

import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type ConversationId, createThroughline, type Store, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { commitChanges } from '../../src/derived/commit.ts'
import { loadFacts, loadLedger } from '../../src/derived/rows.ts'
import { sampleFacts, sampleLedger, sampleView } from '../../src/derived/samples.test-support.ts'
import { loadState } from '../../src/derived/state.ts'
import { dump, testFolder } from './sqlite-file.ts'

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
  await commitChanges(tenantOf(store), { id, expectedVersion: 0, changes: { view, facts }, at: 0 })
}

describe('facts in a SQLite file', () => {
  it('are reported as corrupt after another program changed them', async () => {
    const entry = JSON.stringify(sampleLedger().entries[0])
    const changed: readonly string[] = [
      `UPDATE derived SET body = '{broken' WHERE kind = 'facts'`,
      `UPDATE derived SET body = 'null' WHERE kind = 'facts'`,
      `UPDATE derived SET body = '["user",[],"x"]' WHERE kind = 'facts'`,
      `UPDATE derived SET body = '["user",[]]' WHERE kind = 'facts'`,
      `UPDATE derived SET body = '["system",[],null]' WHERE kind = 'facts'`,
      `UPDATE derived SET body = '["user",{},null]' WHERE kind = 'facts'`,
      `UPDATE derived SET body = '["user",[null],null]' WHERE kind = 'facts'`,
      `UPDATE derived SET body = '["user",[["file",[1]]],null]' WHERE kind = 'facts'`,
      `UPDATE derived SET body = '[]' WHERE kind = 'ledger'`,
      `UPDATE derived SET body = '{"to":"2","entries":[]}' WHERE kind = 'ledger'`,
      `UPDATE derived SET body = '{"to":2,"entries":[{}]}' WHERE kind = 'ledger'`,
      `UPDATE derived SET body = '{"to":2,"entries":[${entry.replace('[0,3]', '["0"]')}]}' WHERE kind = 'ledger'`,
      `UPDATE derived SET body = '{"to":2,"entries":[${entry.replace('"user":1,', '')}]}' WHERE kind = 'ledger'`,
      `UPDATE derived SET body = '{"to":2,"entries":[${entry.replace('"tool",', '"root",')}]}' WHERE kind = 'ledger'`,
    ]
    for (const sql of changed) {
      const driver = new DatabaseSync(':memory:')
      const store = sqlite(driver)
      await withFacts(store)
      driver.exec(sql)
      const tenant = tenantOf(store)
      const look = sql.includes('ledger')
        ? loadLedger(tenant, { id })
        : loadFacts(tenant, { id, span })
      await expect(look, sql).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
      expect((await loadState(tenant, { id, model: 'm' }))?.view, 'the view').toEqual(view.view)
      await store.close()
    }
  })

  it('leave no byte after they are replaced or purged', async () => {
    const file = folder.file('purged.db')
    const canary = 'canary-51c0ffee'
    const store = sqlite(file)
    await withFacts(store)
    const factsWith = (text: string) => ({
      rows: [sampleFacts({ digest: { by: 'user', text } }), sampleFacts({ seq: 1 })],
      ledger: sampleLedger({
        entries: sampleLedger().entries.map((one) => ({ ...one, value: text })),
      }),
    })
    for (const [index, size] of [1, 900, 40].entries()) {
      const changes = { facts: factsWith(canary.repeat(size)) }
      await commitChanges(tenantOf(store), { id, expectedVersion: index + 1, changes, at: 0 })
    }
    expect(readFileSync(`${file}-wal`).includes(canary)).toBe(true)
    expect(await tenantOf(store).purge({ id, forks: 'refuse', at: 1 })).toMatchObject({
      erased: true,
    })
    for (const suffix of ['', '-wal'])
      expect(readFileSync(file + suffix).includes(canary)).toBe(false)
    expect(dump(file)).toContain('["derived",[]]')
    await store.close()
  })

  it('are written by two statements that are prepared once, whatever their number', async () => {
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
    await commitChanges(tenantOf(store), { id, expectedVersion: 0, changes, at: 0 })
    expect(await loadFacts(tenantOf(store), { id, span })).toEqual(rows)
    // One for batches, and one for the rest.
    expect(prepared.filter((sql) => sql.includes('INSERT INTO derived'))).toHaveLength(2)
    await store.close()
  })

  it('are found by an index alone, in either order', async () => {
    const driver = new DatabaseSync(':memory:')
    const selects = new Set<string>()
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        if (sql.includes("kind = 'facts'")) selects.add(sql)
        return driver.prepare(sql)
      },
    })
    await withFacts(store)
    for (const newestFirst of [true, false])
      await loadFacts(tenantOf(store), { id, span, newestFirst })
    const plans = [...selects].flatMap((sql) =>
      driver
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter((detail) => /derived|SORT|TEMP/.test(detail)),
    )
    const index =
      'sqlite_autoindex_derived_1 (conversation=? AND kind=? AND position>? AND position<?)'
    expect(plans).toEqual([
      `SEARCH derived USING INDEX ${index}`,
      `SEARCH derived USING INDEX ${index}`,
    ])
    await store.close()
  })

  it('stay with their message where conversations are numbered in millions', async () => {
    const driver = new DatabaseSync(':memory:')
    const store = sqlite(driver)
    await withFacts(store)
    driver.exec('UPDATE sqlite_sequence SET seq = 4000000000')
    const tenant = tenantOf(store)
    const late = { id: 'late' as ConversationId, title: null, meta: null, parent: null, at: 0 }
    // It needs no own messages, because it shares those of its source.
    await tenant.create({ ...late, forkedFrom: { conversationId: id, at: 2 } })
    const rows = facts.rows.map((row) => ({ ...row, trust: 'tool' as const }))
    const changes = { facts: { rows, ledger: facts.ledger } }
    await commitChanges(tenant, { id: late.id, expectedVersion: 0, changes, at: 0 })
    expect(await loadFacts(tenant, { id: late.id, span })).toEqual(rows)
    expect(await loadFacts(tenant, { id, span })).toEqual(facts.rows)
    await store.close()
  })
})
