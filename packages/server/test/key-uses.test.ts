import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline } from 'throughline'
import { afterAll, describe, expect, it } from 'vitest'
import { createServer, createServerKey, sqliteAccess } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-uses-'))
afterAll(() => rmSync(folder, { recursive: true }))
const day = 86_400_000

interface Json {
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly key: { readonly id: string }
}

function newServer({ file = ':memory:', requestsPerMinute = 1_000_000 } = {}) {
  let time = 1_000 * day
  const access = sqliteAccess(file, () => time)
  const throughline = createThroughline()
  const server = createServer({ throughline, access, limits: { requestsPerMinute } })
  const keyOf = (role: 'admin' | 'write' | 'read', tenant = 'default') =>
    access.createKey({ tenant, name: role, role })
  const send = async (secret: string, path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const response = await server.fetch(
      new Request(`http://localhost${path}`, { headers, ...init }),
    )
    return { status: response.status, json: (await response.json()) as Json }
  }
  const close = async () => {
    await server.stop()
    await throughline.close()
    access.close()
  }
  return { access, keyOf, send, close, pass: (ms: number) => (time += ms), now: () => time }
}

describe('the use of a key', () => {
  it('is in the list of keys: first, last, how often, and what was refused', async () => {
    const { access, keyOf, send, close, pass, now } = newServer()
    const [admin, reader] = [keyOf('admin'), keyOf('read')]
    const startedAt = now()
    await send(reader.secret, '/v1/conversations')
    pass(5000)
    await send(reader.secret, '/v1/conversations')
    pass(1000)
    const purge = await send(reader.secret, '/v1/conversations/a', { method: 'DELETE' })
    expect(purge.status).toBe(403)
    access.revokeKey(reader.key.id)
    pass(1000)
    expect((await send(reader.secret, '/v1/conversations')).status).toBe(401)
    const { json } = await send(admin.secret, '/v1/keys')
    expect(json.items.find(({ id }) => id === reader.key.id)?.['use']).toEqual({
      ...{ firstAt: startedAt, lastAt: startedAt + 5000, requests: 2 },
      ...{ refused: 2, lastRefusedAt: startedAt + 7000 },
    })
    await close()
  })

  it('is in the audit once, and each reason of a refusal once a day', async () => {
    const { access, keyOf, send, close, pass, now } = newServer()
    const [admin, writer] = [keyOf('admin'), keyOf('write')]
    const expiresAt = now() + day / 2
    const short = access.createKey({ tenant: 'default', name: 's', role: 'read', expiresAt })
    const rows = async (operation: string) => {
      const { json } = await send(admin.secret, '/v1/audit?limit=1000')
      return json.items
        .filter((row) => row['operation'] === operation)
        .map(({ key, subject, status }) => [key, subject, status])
    }
    for (let at = 0; at < 40; at += 1) {
      await send(writer.secret, '/v1/conversations')
      await send(writer.secret, '/v1/keys')
      await send('tl_unknown', '/v1/conversations')
      await send(short.secret, '/v1/conversations')
      pass(day / 20)
    }
    const used = await rows('useKey')
    expect(used.toSorted()).toEqual(
      [admin, writer, short].map(({ key: { id } }) => [id, id, 200]).toSorted(),
    )
    const refused = await rows('refuseKey')
    const countOf = (subject: string) => refused.filter((row) => row[1] === subject).length
    expect(['role-too-low', 'unknown', 'expired'].map(countOf)).toEqual([2, 2, 2])
    pass(day)
    await send('tl_unknown', '/v1/conversations')
    expect(await rows('refuseKey')).toContainEqual(['unknown', 'unknown', 401])
    expect(await rows('refuseKey')).toHaveLength(7)
    await close()
  })

  it('counts requests above the rate, and no other tenant sees it', async () => {
    const { keyOf, send, close } = newServer({ requestsPerMinute: 2 })
    const [own, other] = [keyOf('admin', 'a'), keyOf('admin', 'b')]
    await send(own.secret, '/v1/conversations')
    await send(own.secret, '/v1/conversations')
    expect((await send(own.secret, '/v1/conversations')).status).toBe(429)
    const audit = JSON.stringify((await send(other.secret, '/v1/audit')).json)
    expect(audit).not.toContain(own.key.id)
    await close()
  })

  it('stays after a restart, in one row for each reason', async () => {
    const file = join(folder, 'restart.db')
    const first = newServer({ file })
    const { key, secret } = first.keyOf('read')
    for (let at = 0; at < 50; at += 1) await first.send(secret, '/v1/conversations')
    await first.close()
    const second = newServer({ file })
    await second.send(secret, '/v1/conversations')
    expect(second.access.useOf(key.id)).toMatchObject({ requests: 51, refused: 0 })
    await second.close()
  })
})

it('a created key is the subject of its audit row, whoever created it', async () => {
  const { access, keyOf, send, close } = newServer()
  const admin = keyOf('admin')
  const body = JSON.stringify({ name: 'ci', role: 'read' })
  const made = await send(admin.secret, '/v1/keys', { method: 'POST', body })
  const { id } = made.json.key
  const [created] = access
    .audit('default', { before: 1e9, limit: 10 })
    .filter(({ operation }) => operation === 'createKey')
  expect(created).toMatchObject({ key: admin.key.id, subject: id, status: 201 })
  await close()
  createServerKey(join(folder, 'made'), { tenant: 'default', name: 'cli', role: 'write' })
  const beside = sqliteAccess(join(folder, 'made', 'access.db'))
  const [key] = beside.keys(null)
  expect(beside.audit('default', { before: 1e9, limit: 1 })).toMatchObject([
    { key: 'command-line', operation: 'createKey', subject: key?.id },
  ])
  beside.close()
})
