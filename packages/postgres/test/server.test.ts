/** Servers and workers on one PostgreSQL. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readServerSettings, startServer, startWorker } from '@throughline/server'
import { afterAll, describe, expect, it } from 'vitest'
import { startGateway } from '../../../harness/gateway/started-gateway.ts'
import { createSession } from '../../server/test/mcp-clients.ts'
import { postgresServerRows } from '../src/index.ts'
import { startPostgres } from './postgres-server.ts'

const secret = 'a-secret-of-all-servers-0123456789abcdef'
const key = {
  ...{ name: 'app', role: 'admin' as const },
  sha256: createHash('sha256').update(secret).digest('hex'),
}
const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
const postgres = await startPostgres()

describe.skipIf(typeof postgres === 'string')('servers on one PostgreSQL', () => {
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    if (typeof postgres !== 'string') await postgres.stop()
  })

  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const startKeyed = (name: string) => {
    const database = typeof postgres === 'string' ? '' : postgres.url
    const given = { database, folder: join(folder, name), port: 0, logLevel: 'silent' } as const
    const settings = { ...given, worker: false, keys: [key] }
    return startServer(readServerSettings(settings, { env: {} }), {})
  }

  it('share conversations, and report the queue', async () => {
    const database = typeof postgres === 'string' ? '' : postgres.url
    const started = await Promise.all(['one', 'two'].map(startKeyed))
    expect(started.map(({ firstKey }) => firstKey)).toEqual([null, null])
    const [one, two] = started.map(({ url }) => ({ url, headers }))
    if (one === undefined || two === undefined) throw new Error('two servers')
    const listed = await (await fetch(`${one.url}/v1/keys`, { headers })).json()
    expect(listed).toMatchObject({ items: [{ id: 'shared-app', role: 'admin' }] })
    const revoked = await fetch(`${one.url}/v1/keys/shared-app`, { method: 'DELETE', headers })
    expect(await revoked.json()).toMatchObject({ detail: expect.stringContaining('settings') })
    const other = { authorization: `Bearer ${secret}x` }
    expect((await fetch(`${one.url}/v1/keys`, { headers: other })).status).toBe(401)
    const path = '/v1/conversations/c/messages'
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] })
    const appended = await fetch(one.url + path, { method: 'POST', headers: one.headers, body })
    expect(appended.status).toBeLessThan(300)
    const read = await fetch(two.url + path, { headers: two.headers })
    expect(await read.json()).toMatchObject({ items: [{ seq: 0 }] })
    const metrics = await (await fetch(`${two.url}/metrics`, { headers: two.headers })).text()
    expect(metrics).toContain('throughline_queue_jobs{state="waiting"} 0')
    const worker = await startWorker(readServerSettings({ database }, { env: {} }), {})
    expect(await worker.figures()).toMatchObject({ waiting: 0, dead: 0 })
    await worker.stop()
    await Promise.all(started.map(({ stop }) => stop()))
  })

  it('repeat each other’s answers by Idempotency-Key, and have one audit', async () => {
    const database = typeof postgres === 'string' ? '' : postgres.url
    const [one, two] = await Promise.all([startKeyed('three'), startKeyed('four')])
    const create = (url: string, title: string, id = 'once') =>
      fetch(`${url}/v1/conversations`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `create-${id}` },
        body: JSON.stringify({ id, title }),
      })
    const first = await create(one.url, 'A title')
    const again = await create(two.url, 'A title')
    expect([first.status, again.status]).toEqual([201, 201])
    expect(await again.text()).toBe(await first.text())
    expect(await (await create(two.url, 'Another')).json()).toMatchObject({ code: 'KEY_REUSED' })
    const path = `/v1/conversations/once`
    const purged = await fetch(two.url + path, { method: 'DELETE', headers })
    expect(purged.status).toBe(200)
    const { items } = (await (await fetch(`${one.url}/v1/audit`, { headers })).json()) as {
      readonly items: readonly { readonly operation: string; readonly subject: string }[]
    }
    expect(items).toContainEqual(expect.objectContaining({ operation: 'purgeConversation' }))
    expect(items.filter(({ operation }) => operation === 'useKey').length).toBeGreaterThan(0)
    // The purge has removed the answer: the same key creates the conversation again.
    expect(await (await create(one.url, 'After the purge')).json()).toMatchObject({
      title: 'After the purge',
    })
    await Promise.all([one.stop(), two.stop()])
    // What a killed server had not answered, another takes over when its time is over.
    const write = {
      ...{ tenant: 'default', key: 'killed', fingerprint: 'f', conversation: null },
      repeatable: false,
    }
    const killed = postgresServerRows({ url: database, answerMs: 300 })
    const other = postgresServerRows({ url: database, answerMs: 300 })
    expect(await killed.access.reserve(write)).toEqual({ kind: 'new' })
    expect(await other.access.reserve(write)).toEqual({ kind: 'running' })
    expect(await other.access.reserve({ ...write, repeatable: true })).toEqual({
      kind: 'interrupted',
    })
    await killed.access.complete(write, { status: 200, etag: null, body: 'late' })
    expect(await killed.access.reserve(write)).toEqual({ kind: 'running' })
    await expect.poll(() => killed.access.reserve(write)).toEqual({ kind: 'interrupted' })
    await killed.access.complete(write, { status: 200, etag: null, body: 'done' })
    expect(await other.access.reserve(write)).toEqual({
      kind: 'answered',
      answer: { status: 200, etag: null, body: 'done' },
    })
    await Promise.all([killed.close(), other.close()])
  })

  it('find a conversation of the gateway whichever of them gets its requests', async () => {
    const database = typeof postgres === 'string' ? '' : postgres.url
    const gateways = await Promise.all([startGateway({ database }), startGateway({ database })])
    let requests = 0
    // One server after the other gets a request; each has keys of its own.
    const next = () => gateways[requests % gateways.length] as (typeof gateways)[number]
    const sayNext = async (session: ReturnType<typeof createSession>, text: string) => {
      const { conversation } = await session.say(text)
      requests += 1
      return conversation
    }
    const alternating = {
      ...gateways[0],
      get url() {
        return next().url
      },
      get key() {
        return next().key
      },
    } as (typeof gateways)[number]
    for (const session of ['named', null]) {
      // By the id of its session, and by the history alone.
      const client = createSession(
        alternating,
        session === null ? {} : { 'x-claude-code-session-id': session },
      )
      const found: string[] = []
      for (const text of ['One?', 'Two?', 'Three?'])
        found.push(await sayNext(client, `${session} ${text}`))
      expect(new Set(found).size).toBe(1)
      const messages = await gateways[0]?.messages(found[0] ?? '')
      expect(messages?.map(({ role }) => role).join(' ')).toBe(
        'user assistant user assistant user assistant',
      )
    }
    await Promise.all(gateways.map(({ stop }) => stop()))
  })

  it('say that a worker needs a database', async () => {
    const settings = readServerSettings({ folder }, { env: {} })
    await expect(startWorker(settings, {})).rejects.toThrow('needs the setting database')
    expect(() => readServerSettings({ database: 'mysql://x' }, { env: {} })).toThrow('postgres://')
  })
})
