/** Two tenants, as the role of servers, with and without the tenant in our own statements. */
import pg from 'pg'
import type { Store } from 'throughline/stores'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareWithMemory } from '../../throughline/src/testing/store-contract/compare.ts'
import {
  randomCommands,
  randomSearches,
} from '../../throughline/src/testing/store-contract/random-commands.ts'
import { migratePostgres, postgres } from '../src/index.ts'
import { erasedAsInMemory } from './erased-as-in-memory.ts'
import { newSchema, server, sql } from './shared-server.ts'

const suffix = `${process.pid}_${Date.now().toString(36)}`
const [owner, app] = [`owner_${suffix}`, `app_${suffix}`]

/** The same server as another role. */
function as(role: string): string {
  const url = new URL(server?.url ?? 'postgres://x')
  url.username = role
  return url.href
}

/** Removes `tenant = …` from every statement that a store sends until `restore` is called. */
function forgetTenant(): () => void {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: readonly unknown[]) {
    const [first] = args as [{ text?: string } | string | undefined]
    if (typeof first === 'object' && first.text !== undefined)
      first.text = first.text.replaceAll(
        /(\w+\.)?tenant = (\$1(::text)?|\w+\.tenant)/g,
        () => '($1::text IS NOT NULL)',
      )
    return query.apply(this, args as never)
  } as typeof query
  return () => {
    pg.Client.prototype.query = query
  }
}

describe.skipIf(server === null)('as the role of servers', () => {
  const schemas: string[] = []
  const open = async (url = as(app)): Promise<Store> => {
    const schema = newSchema()
    schemas.push(schema)
    await migratePostgres({ url: as(owner), schema, appRole: app, partitions: 2 })
    return erasedAsInMemory(postgres({ url, schema, maxConnections: 3 }))
  }
  beforeAll(async () => {
    await sql(`CREATE ROLE ${owner} LOGIN; CREATE ROLE ${app} LOGIN`)
    const [found] = await sql('SELECT current_database() AS name')
    await sql(`GRANT CREATE ON DATABASE "${found?.['name']}" TO ${owner}`)
  })
  afterAll(async () => {
    for (const schema of schemas) await sql(`DROP SCHEMA ${schema} CASCADE`)
    await sql(`DROP OWNED BY ${owner}; DROP ROLE ${owner}; DROP OWNED BY ${app}; DROP ROLE ${app}`)
  })

  it('answers as the memory store, on partitioned tables', async () => {
    for (const seed of [901, 902]) await compareWithMemory(await open(), randomCommands(seed))
    await compareWithMemory(await open(), randomSearches(903))
  })

  it('leaks nothing where our statements forget the tenant', async () => {
    const store = await open()
    const searched = await open()
    const restore = forgetTenant()
    try {
      await compareWithMemory(store, randomCommands(904))
      await compareWithMemory(searched, randomSearches(905))
    } finally {
      restore()
    }
  })

  it('shows that these comparisons would see a leak', async () => {
    // A superuser is not bound by row-level security.
    const store = await open(server?.url)
    const restore = forgetTenant()
    try {
      await expect(compareWithMemory(store, randomCommands(904))).rejects.toThrow('expected')
    } finally {
      restore()
    }
  })

  it('can neither change tables, nor read rows without a tenant, nor keep another tenant', async () => {
    const store = await open()
    const [schema] = schemas.slice(-1)
    await store.tenant('acme' as never).append({ id: 'c' as never, messages: [], at: 1 })
    await store.close()
    const rows = await sql(`SELECT * FROM ${schema}.conversations`, [], as(app))
    expect(rows).toEqual([])
    await expect(sql(`DROP TABLE ${schema}.messages`, [], as(app))).rejects.toThrow('owner')
    await expect(sql(`UPDATE ${schema}.versions SET version = 9`, [], as(app))).rejects.toThrow(
      'permission denied',
    )
    const written = sql(
      `SELECT set_config('throughline.tenant', 'acme', false);
       INSERT INTO ${schema}.events VALUES ('other', 1, 1, 1, '{}')`,
      undefined,
      as(app),
    )
    await expect(written).rejects.toThrow('row-level security')
  })
})
