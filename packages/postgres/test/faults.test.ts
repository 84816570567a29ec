/** What goes wrong between a process and PostgreSQL. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'
import { createThroughline } from 'throughline'
import { afterAll, describe, expect, it } from 'vitest'
import { migratePostgres, postgres, postgresServerRows } from '../src/index.ts'
import { tables } from '../src/schema-data.ts'
import { startPostgres } from './postgres-server.ts'
import { newSchema, server, sql } from './shared-server.ts'

const user = (content: string) => ({ role: 'user', content }) as const
const schemas: string[] = []
const schemaOf = () => {
  const schema = newSchema()
  schemas.push(schema)
  return schema
}

/** Passes bytes on to PostgreSQL until `drop` ends all connections. */
async function proxy(): Promise<{
  readonly url: string
  drop(): void
  close(): void
  listener: Server
}> {
  const target = new URL(server?.url ?? 'postgres://x')
  const sockets = new Set<Socket>()
  const listener = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname)
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    incoming.pipe(outgoing)
    outgoing.pipe(incoming)
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  const url = new URL(target)
  url.port = String(typeof address === 'object' ? address?.port : 0)
  url.hostname = '127.0.0.1'
  const drop = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return { url: url.href, drop, listener, close: () => void listener.close(drop) }
}

describe.skipIf(server === null)('the PostgreSQL store', () => {
  afterAll(async () => {
    for (const schema of schemas) await sql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  })

  it('connects again after every connection was lost', async () => {
    const between = await proxy()
    const store = postgres({ url: between.url, schema: schemaOf() })
    const chat = createThroughline({ store }).conversation('c')
    for (let count = 1; count <= 5; count += 1) {
      await chat.append(user(`${count}`))
      between.drop()
      expect((await chat.info())?.head).toBe(count)
    }
    await store.close()
    between.close()
  })

  it('adds no message twice where an answer was lost and the append is repeated with its key', async () => {
    const between = await proxy()
    const store = postgres({ url: between.url, schema: schemaOf() })
    const chat = createThroughline({ store }).conversation('c')
    for (let count = 0; count < 20; count += 1) {
      const dropping = setTimeout(between.drop, count % 7)
      for (let tries = 0; tries < 5; tries += 1)
        try {
          await chat.append(user(`${count}`), { key: `k${count}` })
          break
        } catch (error) {
          expect(error).toMatchObject({ code: 'STORE_UNREACHABLE' })
        }
      clearTimeout(dropping)
    }
    const texts = await Array.fromAsync(chat.messages(), ({ parts }) => JSON.stringify(parts))
    expect(new Set(texts).size).toBe(20)
    expect(texts.length).toBe(20)
    await store.close()
    between.close()
  })

  it('says that PostgreSQL cannot be reached', async () => {
    const store = postgres({ url: 'postgres://nobody@127.0.0.1:1/none', reconnectMs: 20 })
    const appended = createThroughline({ store }).conversation('c').append(user('x'))
    await expect(appended).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', retryable: true })
    await store.close()
  })

  it('gives up after the lock timeout, and says that the conversation is busy', async () => {
    const schema = schemaOf()
    const store = postgres({ url: server?.url, schema, lockTimeoutMs: 20 })
    const chat = createThroughline({ store }).conversation('c')
    await chat.append(user('x'))
    const holder = new pg.Client({ connectionString: server?.url ?? '' })
    await holder.connect()
    await holder.query(`BEGIN; SELECT 1 FROM ${schema}.conversations FOR UPDATE`)
    await expect(chat.append(user('y'))).rejects.toMatchObject({ code: 'STORE_BUSY' })
    // Reads do not wait.
    expect((await chat.info())?.head).toBe(1)
    await holder.query('ROLLBACK')
    await holder.end()
    expect((await chat.append(user('y'))).head).toBe(2)
    await store.close()
  })

  it('says that all connections are in use', async () => {
    const schema = schemaOf()
    const options = { maxConnections: 1, connectTimeoutMs: 1_000 }
    const store = postgres({ url: server?.url, schema, ...options })
    const tl = createThroughline({ store })
    await tl.conversation('c').append(user('x'))
    const holder = new pg.Client({ connectionString: server?.url ?? '' })
    await holder.connect()
    await holder.query(`BEGIN; SELECT 1 FROM ${schema}.conversations FOR UPDATE`)
    const waiting = tl.conversation('c').append(user('y'))
    const blocked = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`
    while ((await sql(blocked, [`%${schema}%`])).length === 0);
    const read = tl.conversation('other').info()
    const outcome = await read.catch((error: unknown) => error)
    await holder.query('ROLLBACK')
    await holder.end()
    expect(outcome).toMatchObject({ code: 'STORE_BUSY' })
    expect((await waiting).head).toBe(2)
    await store.close()
  })

  it('keeps every acknowledged message where PostgreSQL is killed and starts again', async () => {
    const own = await startPostgres({ durable: true })
    if (typeof own === 'string' || own.crash === null) return
    const store = postgres({ url: own.url, reconnectMs: 60_000 })
    const tl = createThroughline({ store })
    const acknowledged = new Set<string>()
    let isOver = false
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let count = 0; !isOver; count += 1) {
        const name = `${writer}-${count}`
        await tl
          .conversation(`c${writer}`)
          .append(user(name), { key: name })
          .then(
            () => acknowledged.add(name),
            () => {},
          )
      }
    })
    for (let kills = 0; kills < 2; kills += 1) {
      const before = acknowledged.size
      while (acknowledged.size < before + 50) await new Promise((resolve) => setTimeout(resolve, 5))
      await own.crash()
      await own.restart()
    }
    isOver = true
    await Promise.all(writers)
    const stored: string[] = []
    for (let writer = 0; writer < 4; writer += 1)
      for await (const { key } of tl.conversation(`c${writer}`).messages()) stored.push(key ?? '')
    expect([...acknowledged].filter((name) => !stored.includes(name))).toEqual([])
    expect(new Set(stored).size).toBe(stored.length)
    await store.close()
    await own.stop()
  })

  it('creates the tables once where many processes open a new schema at once', async () => {
    const schema = schemaOf()
    const stores = Array.from({ length: 8 }, () => postgres({ url: server?.url, schema }))
    const appended = stores.map((store, at) =>
      createThroughline({ store })
        .conversation('c')
        .append(user(`${at}`)),
    )
    const heads = (await Promise.all(appended)).map(({ head }) => head)
    expect(heads.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    await Promise.all(stores.map((store) => store.close()))
  })

  it('uses tables of a newer release that allows it, and refuses others', async () => {
    const schema = schemaOf()
    await migratePostgres({ url: server?.url, schema })
    const info = async () => {
      const store = postgres({ url: server?.url, schema })
      try {
        return await createThroughline({ store }).conversation('c').info()
      } finally {
        await store.close()
      }
    }
    await sql(`INSERT INTO ${schema}.versions VALUES (99, 1)`)
    expect(await info()).toBeNull()
    await sql(`INSERT INTO ${schema}.versions VALUES (100, 99)`)
    await expect(info()).rejects.toMatchObject({ code: 'STORE_NEWER' })
  })

  it('adds the tables of this release to older ones, for the same roles, while an older one runs', async () => {
    const schema = schemaOf()
    const role = `older_${schema}`
    await sql(`CREATE ROLE ${role} LOGIN`)
    await migratePostgres({ url: server?.url, schema, partitions: 2, appRole: role })
    const older = postgres({ url: server?.url, schema })
    const chat = createThroughline({ store: older }).conversation('c')
    await chat.append(user('before'))
    const added = Object.entries(tables).filter(([, { since = 1 }]) => since > 1)
    for (const [name] of added) await sql(`DROP TABLE ${schema}.${name}`)
    await sql(`UPDATE ${schema}.versions SET version = 1, readable_from = 1`)
    const app = new URL(server?.url ?? 'postgres://x')
    app.username = role
    const ofRole = postgresServerRows({ url: app.href, schema, answerMs: 1_000 })
    // The role of servers may not change tables.
    await expect(ofRole.index.find('t', ['id'])).rejects.toMatchObject({ code: 'STORE_OLDER' })
    await migratePostgres({ url: server?.url, schema })
    await chat.append(user('after'))
    await ofRole.index.add('t', 'c', ['id'])
    expect(await ofRole.index.find('t', ['other', 'id'])).toEqual(['c'])
    // Each tenant has its own.
    expect(await ofRole.index.find('u', ['id'])).toEqual([])
    const parts = await sql(`SELECT FROM pg_inherits WHERE inhparent = $1::regclass`, [
      `${schema}.gateway_ids`,
    ])
    expect(parts).toHaveLength(2)
    await Promise.all([older.close(), ofRole.close()])
    await sql(`DROP SCHEMA ${schema} CASCADE; DROP ROLE ${role}`)
  })

  it('creates no tables where that is off', async () => {
    const store = postgres({ url: server?.url, schema: schemaOf(), createTables: false })
    const read = createThroughline({ store }).conversation('c').info()
    await expect(read).rejects.toMatchObject({ code: 'STORE_OLDER' })
    await store.close()
  })

  it('refuses options that it does not know, and values of other types', () => {
    expect(() => postgres({ poolSize: 3 } as never)).toThrow('unknown option "poolSize"')
    expect(() => postgres({ maxConnections: 0 })).toThrow('maxConnections')
    expect(() => postgres({ createTables: 'no' } as never)).toThrow('createTables')
  })
})
