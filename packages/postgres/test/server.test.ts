/** Servers and workers on one PostgreSQL. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readServerSettings, startServer, startWorker } from '@throughline/server'
import { afterAll, describe, expect, it } from 'vitest'
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

  it('share conversations, and report the queue', async () => {
    const database = typeof postgres === 'string' ? '' : postgres.url
    const started = await Promise.all(
      ['one', 'two'].map((name) => {
        const given = { database, folder: join(folder, name), port: 0, logLevel: 'silent' } as const
        const settings = { ...given, worker: false, keys: [key] }
        return startServer(readServerSettings(settings, { env: {} }), {})
      }),
    )
    expect(started.map(({ firstKey }) => firstKey)).toEqual([null, null])
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
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

  it('say that a worker needs a database', async () => {
    const settings = readServerSettings({ folder }, { env: {} })
    await expect(startWorker(settings, {})).rejects.toThrow('needs the setting database')
    expect(() => readServerSettings({ database: 'mysql://x' }, { env: {} })).toThrow('postgres://')
  })
})
