/** Vectors of pieces, with the extension `vector` where the server has it. */
import { createThroughline } from 'throughline'
import { embedder } from 'throughline/models'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres, postgres } from '../src/index.ts'
import { newSchema, server, sql } from './shared-server.ts'

const available =
  server === null ? [] : await sql(`SELECT 1 FROM pg_available_extensions WHERE name = 'vector'`)
const isPossible = available.length > 0
if (server !== null && !isPossible)
  console.warn('tests of stored vectors are skipped: this PostgreSQL has no extension "vector"')

const bill = 'The bill of the plumber came to ninety euros.'
const talk = [bill, 'We met at the lake.', 'The cat sleeps.', 'Trains run late.'].map(
  (content) => ({ role: 'user', content }) as const,
)
/** None of its words is in a message. */
const query = 'expenses'

function counting(model: string | null) {
  const sent: string[] = []
  const byMeaning = embedder(
    async (texts) => {
      sent.push(...texts)
      return texts.map((text) => (/bill|expenses|invoice/.test(text) ? [1, 0.1] : [0.1, 1]))
    },
    model === null ? {} : { model },
  )
  return { sent, byMeaning }
}

const schemas: string[] = []
async function opened({
  schema = newSchema(),
  model = 'm' as string | null,
  url = server?.url,
} = {}) {
  if (!schemas.includes(schema)) schemas.push(schema)
  const { sent, byMeaning } = counting(model)
  const tl = createThroughline({
    store: postgres({ url, schema, maxConnections: 4 }),
    embedder: byMeaning,
  })
  return { tl, sent, schema }
}

async function stored(schema: string): Promise<readonly (readonly unknown[])[]> {
  const rows = await sql(`SELECT tenant, model, key FROM ${schema}.vectors ORDER BY tenant, key`)
  return rows.map(({ tenant, model, key }) => [tenant, model, Number(key) / 4096])
}

describe.skipIf(server === null)('vectors', () => {
  afterAll(async () => {
    for (const schema of schemas) await sql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  })

  it('are not stored without the extension', async () => {
    const { tl, schema } = await opened()
    await tl.conversation('c').append(talk)
    expect((await tl.conversation('c').recall('lake')).pieces).toHaveLength(1)
    await tl.settled()
    expect(await stored(schema)).toEqual([])
    await tl.close()
  })

  describe.skipIf(!isPossible)('with the extension', () => {
    beforeAll(async () => {
      await sql('CREATE EXTENSION IF NOT EXISTS vector')
    })

    it('find a message without a word of the question, and are computed once for all processes', async () => {
      const { tl, schema } = await opened()
      await tl.conversation('c').append(talk)
      await tl.conversation('c').recall(query)
      await tl.settled()
      expect(await stored(schema)).toEqual([0, 1, 2, 3].map((seq) => ['default', 'm', seq]))
      await tl.close()
      const other = await opened({ schema })
      const { pieces } = await other.tl.conversation('c').recall(query)
      expect(pieces[0]?.text).toContain(bill)
      expect(pieces[0]?.foundBy).toMatchObject({ words: [], meaning: expect.closeTo(1) })
      expect(other.sent).toEqual([query])
      await other.tl.close()
    })

    it('are those of one model: another replaces them, and one without a name stores none', async () => {
      const { tl, schema } = await opened({ model: null })
      await tl.conversation('c').append(talk)
      await tl.conversation('c').recall(query)
      await tl.settled()
      expect(await stored(schema)).toEqual([])
      await tl.close()
      for (const model of ['m', 'n']) {
        const next = await opened({ schema, model })
        await next.tl.conversation('c').recall(query)
        await next.tl.settled()
        expect((await stored(schema)).map(([, of]) => of)).toEqual([model, model, model, model])
        await next.tl.close()
      }
    })

    it('go with their messages: edited, removed and purged', async () => {
      const { tl, schema } = await opened()
      const chat = tl.conversation('c')
      await chat.append(talk)
      await chat.recall(query)
      await tl.settled()
      await chat.history.fork(2, 'f')
      const fork = tl.conversation('f')
      await fork.recall(query)
      await tl.settled()
      await chat.history.edit('#0', { role: 'user', content: 'The invoice of the plumber.' })
      await chat.history.remove('#1')
      expect(await sql(`SELECT key FROM ${schema}.vectors`)).toHaveLength(2)
      // The fork has its own copy of what was edited; the vectors of both are computed again.
      for (const each of [chat, fork]) await each.recall(query)
      await tl.settled()
      expect((await chat.recall(query)).pieces[0]?.text).toContain('The invoice of the plumber.')
      expect((await fork.recall(query)).pieces[0]?.text).toContain(bill)
      await fork.history.purge()
      await chat.history.purge()
      expect(await stored(schema)).toEqual([])
      await tl.close()
    })

    it('are never those of another tenant, as the role of servers', async () => {
      const suffix = `${process.pid}_${Date.now().toString(36)}`
      const app = `vectors_${suffix}`
      await sql(`CREATE ROLE ${app} LOGIN`)
      const schema = newSchema()
      await migratePostgres({ url: server?.url, schema, appRole: app, partitions: 2 })
      const url = new URL(server?.url ?? '')
      url.username = app
      const { tl } = await opened({ schema, url: url.href })
      const [one, two] = [tl.tenant('one').conversation('c'), tl.tenant('two').conversation('c')]
      await one.append(talk)
      await two.append(talk.slice(1))
      await one.recall(query)
      await two.recall(query)
      await tl.settled()
      expect((await one.recall(query)).pieces.some(({ text }) => text.includes(bill))).toBe(true)
      expect((await two.recall(query)).pieces.some(({ text }) => text.includes(bill))).toBe(false)
      await two.history.purge()
      expect((await stored(schema)).map(([tenant]) => tenant)).toEqual(['one', 'one', 'one', 'one'])
      expect(await sql(`SELECT * FROM ${schema}.vectors`, [], url.href)).toEqual([])
      await tl.close()
      // A role that may not use the extension finds by words.
      await sql(
        `CREATE SCHEMA hidden_${suffix}; ALTER EXTENSION vector SET SCHEMA hidden_${suffix}`,
      )
      const without = await opened({ schema, url: url.href })
      const { pieces } = await without.tl.tenant('one').conversation('c').recall('plumber')
      expect(pieces[0]?.text).toContain(bill)
      await without.tl.close()
      await sql(`ALTER EXTENSION vector SET SCHEMA public; DROP SCHEMA hidden_${suffix}`)
      await sql(`DROP OWNED BY ${app}; DROP ROLE ${app}`)
    })
  })
})
