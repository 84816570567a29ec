import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline } from 'throughline'
import { afterAll, describe, expect, it } from 'vitest'
import { createServer, readServerSettings, sqliteAccess, startServer } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-server-'))
const access = sqliteAccess(join(folder, 'access.db'))
const throughline = createThroughline()
const limits = { maxBodyBytes: 100_000, requestsPerMinute: 1_000_000 }
const server = createServer({ throughline, access, hosts: ['localhost'], limits })
const secretOf = (tenant: string, role: 'admin' | 'write' | 'read') =>
  access.createKey({ tenant, name: role, role }).secret
const admin = secretOf('default', 'admin')
const reader = secretOf('default', 'read')
const other = secretOf('other', 'admin')

afterAll(async () => {
  await server.stop()
  await throughline.close()
  access.close()
  rmSync(folder, { recursive: true })
})

interface Sent {
  readonly method?: string
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

async function send(path: string, { method, key = admin, body, headers, text }: Sent = {}) {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await server.fetch(
    new Request(`http://localhost${path}`, {
      method: method ?? (content === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    }),
  )
  const { status } = response
  const answer = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const json = isJson && !answer.includes('\n') ? JSON.parse(answer) : null
  return { status, json, text: answer, etag: response.headers.get('etag') ?? '' }
}

const hello = { messages: [{ role: 'user', content: 'The port is 47113.' }] }

describe('the routes', () => {
  it('append, list, build a context, recall and pin', async () => {
    const appended = await send('/v1/conversations/a/messages', { body: hello })
    expect([appended.status, appended.json.head]).toEqual([201, 1])
    const context = await send('/v1/conversations/a/context', { body: { model: 'gpt-4o' } })
    expect(context.status).toBe(200)
    expect(JSON.stringify(context.json.messages)).toContain('47113')
    expect((await send('/v1/conversations/a/recall?query=port')).status).toBe(200)
    const pinned = await send('/v1/conversations/a/pins/0', { method: 'PUT' })
    expect(pinned.json).toEqual({ pins: [0] })
    expect((await send('/v1/conversations/a/export')).text).toContain('47113')
  })

  it('pages through messages and conversations with cursors', async () => {
    const messages = Array.from({ length: 5 }, (_, at) => ({ role: 'user', content: `m${at}` }))
    for (const id of ['p1', 'p2', 'p3'])
      await send(`/v1/conversations/${id}/messages`, { body: { messages } })
    const first = await send('/v1/conversations/p1/messages?limit=3')
    expect([first.json.items.length, first.json.next]).toEqual([3, '3'])
    const second = await send('/v1/conversations/p1/messages?limit=3&cursor=3')
    expect([second.json.items.length, second.json.next]).toEqual([2, null])
    const listed = await send('/v1/conversations?limit=1&cursor=p1')
    expect([listed.json.items[0].id, listed.json.next]).toEqual(['p2', 'p2'])
  })

  it('edit a message only if If-Match names its version', async () => {
    await send('/v1/conversations/e/messages', { body: hello })
    const { etag } = await send('/v1/conversations/e/messages/0')
    const edit = (tag: string, content: string) =>
      send('/v1/conversations/e/messages/0', {
        ...{ method: 'PUT', body: { role: 'user', content }, headers: { 'if-match': tag } },
      })
    expect((await edit('"old"', 'x')).status).toBe(412)
    expect((await edit(etag, 'It is 5.')).status).toBe(200)
    expect((await edit(etag, 'It is 6.')).status).toBe(412)
    expect((await send('/v1/audit')).json.items[0].operation).toBe('editMessage')
  })

  it('purge a conversation, and answer 404 afterwards', async () => {
    await send('/v1/conversations/g/messages', { body: hello })
    expect((await send('/v1/conversations/g', { method: 'DELETE' })).status).toBe(200)
    expect((await send('/v1/conversations/g')).json.code).toBe('NOT_FOUND')
  })
})

describe('an Idempotency-Key', () => {
  const append = (key: string, content: string) =>
    send('/v1/conversations/i/messages', {
      body: { messages: [{ role: 'user', content }] },
      headers: { 'idempotency-key': key },
    })

  it('gives the same answer for the same body and 422 for another', async () => {
    const first = await append('k1', 'one')
    expect(await append('k1', 'one')).toEqual(first)
    expect((await append('k1', 'two')).json.code).toBe('KEY_REUSED')
    expect((await send('/v1/conversations/i')).json.head).toBe(1)
  })

  it('refuses a second request while the first runs', async () => {
    const both = await Promise.all([append('k2', 'three'), append('k2', 'three')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it('keeps reservations across a restart, and knows interrupted requests from running ones', () => {
    const file = join(folder, 'restart.db')
    const write = { tenant: 't', key: 'k', fingerprint: 'f', conversation: 'c', repeatable: false }
    const before = sqliteAccess(file)
    expect(before.reserve(write)).toEqual({ kind: 'new' })
    expect(before.reserve(write)).toEqual({ kind: 'running' })
    before.close()
    const after = sqliteAccess(file)
    expect(after.reserve(write)).toEqual({ kind: 'interrupted' })
    const answer = { status: 201, etag: null, body: '{}' }
    after.complete(write, answer)
    expect(after.reserve(write)).toEqual({ kind: 'answered', answer })
    expect(after.reserve({ ...write, tenant: 'u' })).toEqual({ kind: 'new' })
    after.close()
  })
})

describe('the event stream', () => {
  it('resumes after Last-Event-ID', async () => {
    await send('/v1/conversations/s/messages', { body: hello })
    const read = async (lastEventId?: string) => {
      const stop = new AbortController()
      const response = await server.fetch(
        new Request('http://localhost/v1/conversations/s/events/stream', {
          signal: stop.signal,
          headers: {
            authorization: `Bearer ${reader}`,
            ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
          },
        }),
      )
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk)
        if (text.includes('data: ')) break
      }
      stop.abort()
      return [...text.matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id)
    }
    const all = await read()
    const waiting = read(all.at(-1))
    await send('/v1/conversations/s/messages', { body: hello })
    const next = await waiting
    expect(next).toHaveLength(1)
    expect(all).not.toContain(next[0])
  })
})

describe('keys', () => {
  it('are rotated, revoked and expire at once', async () => {
    const made = (await send('/v1/keys', { body: { name: 'ci', role: 'read' } })).json
    const list = (key: string) => send('/v1/conversations', { key }).then(({ status }) => status)
    expect(await list(made.secret)).toBe(200)
    const rotated = await send(`/v1/keys/${made.key.id}/rotate`, { method: 'POST' })
    expect([await list(made.secret), await list(rotated.json.secret)]).toEqual([401, 200])
    await send(`/v1/keys/${made.key.id}`, { method: 'DELETE' })
    expect(await list(rotated.json.secret)).toBe(401)
    const expired = access.createKey({ tenant: 'default', name: 'x', role: 'read', expiresAt: 1 })
    expect(await list(expired.secret)).toBe(401)
  })

  it('of one tenant cannot make keys of another', async () => {
    const body = { name: 'x', role: 'admin', tenant: 'default' }
    expect((await send('/v1/keys', { key: other, body })).status).toBe(403)
  })
})

describe('the security matrix, generated from the OpenAPI document', async () => {
  const { json: document } = await send('/openapi.json', { key: null })
  const revoked = access.createKey({ tenant: 'default', name: 'gone', role: 'admin' })
  access.revokeKey(revoked.key.id)
  interface Operation {
    readonly requestBody?: unknown
    readonly parameters: readonly { readonly name: string; readonly in: string }[]
    readonly 'x-role': string
  }
  const operations = Object.entries(
    document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path: path.replace('{conversation}', 'secret').replaceAll(/\{\w+\}/g, '0'),
      method: method.toUpperCase(),
      operation,
    })),
  )

  it('refuses every operation with the right status', async () => {
    await send('/v1/conversations/secret/messages', { body: hello })
    const wrong: string[] = []
    let requests = 0
    const expectStatus = async (status: number, path: string, sent: Sent) => {
      requests += 1
      const answer = await send(path, sent)
      if (answer.status !== status || answer.text.includes('47113'))
        wrong.push(`${sent.method} ${path} ${answer.status}, not ${status}: ${answer.text}`)
    }
    for (const { path, method, operation } of operations) {
      const text = operation.requestBody === undefined ? undefined : '{}'
      const base: Sent = { method, ...(text !== undefined && { text }) }
      for (const key of [null, 'tl_wrong', '', revoked.secret, `${admin}x`])
        await expectStatus(401, path, { ...base, key })
      if (operation['x-role'] !== 'read') await expectStatus(403, path, { ...base, key: reader })
      for (const host of ['evil.example', '169.254.169.254', 'localhost.evil.example'])
        await expectStatus(421, path, { ...base, headers: { host } })
      for (const origin of ['http://evil.example', 'null'])
        await expectStatus(403, path, { ...base, headers: { origin } })
      if (text !== undefined) {
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
        ])
          await expectStatus(415, path, { ...base, headers: { 'content-type': type } })
        await expectStatus(413, path, { ...base, text: `"${'x'.repeat(100_001)}"` })
        await expectStatus(400, path, { ...base, text: '['.repeat(5000) })
        await expectStatus(400, path, { ...base, text: '{"model":' })
        await expectStatus(400, path, { ...base, text: '[]' })
      }
    }
    expect(wrong).toEqual([])
    expect(requests).toBeGreaterThanOrEqual(400)
  })

  it("answers another tenant's key as if nothing were there", async () => {
    const bodies = [hello, { model: 'gpt-4o' }, { role: 'user', content: 'x' }, { version: 0 }]
    for (const { path, method, operation } of operations)
      for (const body of operation.requestBody === undefined ? [undefined] : bodies) {
        const isAppend = method === 'POST' && path.endsWith('/messages')
        if (!path.includes('secret') || isAppend) continue
        const query = ['query=port', 'anchor=0', 'model=gpt-4o'].filter((each) =>
          operation.parameters.some(
            (known) => known.in === 'query' && each.startsWith(`${known.name}=`),
          ),
        )
        const sent = { method, key: other, body }
        const answer = await send(`${path}?${query.join('&')}`, sent)
        const allowed = body === undefined ? [404] : [400, 404]
        expect(allowed, `${method} ${path}`).toContain(answer.status)
        expect(answer.text).not.toContain('47113')
      }
    expect((await send('/v1/conversations', { key: other })).json.items).toEqual([])
    expect((await send('/v1/conversations/secret')).json.head).toBe(1)
  })
})

describe('a started server', () => {
  it('prints its first key once, answers over HTTP, keeps messages and refuses a public bind', async () => {
    const at = join(folder, 'started')
    const settings = (more: object) =>
      readServerSettings({ folder: at, port: 0, logLevel: 'silent', ...more }, { env: {} })
    const refused = startServer(settings({ host: '0.0.0.0' }))
    await expect(refused).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    const first = await startServer(settings({}))
    const authorization = `Bearer ${first.firstKey}`
    await expect(startServer(settings({}))).rejects.toMatchObject({ code: 'FOLDER_IN_USE' })
    const posted = await fetch(`${first.url}/v1/conversations/a/messages`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(hello),
    })
    expect(posted.status).toBe(201)
    const metrics = await fetch(`${first.url}/metrics`, { headers: { authorization } })
    expect(await metrics.text()).toContain('operation="appendMessages"')
    expect((await fetch(`${first.url}/metrics`)).status).toBe(401)
    await first.stop()
    const second = await startServer(settings({}))
    expect(second.firstKey).toBeNull()
    const read = await fetch(`${second.url}/v1/conversations/a`, { headers: { authorization } })
    expect(await read.json()).toMatchObject({ head: 1 })
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
    await second.stop()
  })

  it('names a wrong setting', () => {
    expect(() => readServerSettings({}, { env: { THROUGHLINE_PORT: 'x' } })).toThrow(/port/)
  })
})
