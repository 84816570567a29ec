import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readServerSettings, sqliteAccess, startServer } from '../src/index.ts'
import { createSignIn } from '../src/sign-in.ts'

async function started(more: Readonly<Record<string, unknown>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-start-'))
  const given = { folder, port: 0, logLevel: 'silent' as const, ...more }
  const server = await startServer(readServerSettings(given, { env: {} }), {})
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { ...server, folder }
}

const ofPage = { 'x-throughline-page': '1' }

async function cookieOf(link: string): Promise<string> {
  const answer = await fetch(link, { redirect: 'manual' })
  expect(answer.status).toBe(303)
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function sessionOf(url: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(`${url}/session`, { headers })
  return (await answer.json()) as Readonly<Record<string, unknown>>
}

it('shows nothing stored before the sign-in link, which works once', async () => {
  const { url, signInUrl, firstKey, folder } = await started({ demonstration: true })
  const page = await (await fetch(url)).text()
  expect(page).toContain('<script type="module"')
  const visitor = await sessionOf(url, ofPage)
  expect(visitor).toMatchObject({ role: null, tenant: null, folder: null, hasLinks: true })
  expect(JSON.stringify(visitor)).not.toContain(firstKey)
  const cookie = await cookieOf(signInUrl ?? '')
  expect(await sessionOf(url, { ...ofPage, cookie })).toMatchObject({ role: 'write', folder })
  const listed = await fetch(`${url}/v1/conversations`, { headers: { ...ofPage, cookie } })
  expect(await listed.text()).toContain('The timetable of the ferries')
  expect(await cookieOf(signInUrl ?? '')).toBe('')
})

it('takes the session only for calls of its own page, and not for keys', async () => {
  const { url, signInUrl } = await started()
  const cookie = await cookieOf(signInUrl ?? '')
  const statusOf = async (headers: Readonly<Record<string, string>>, path = '/v1/conversations') =>
    (await fetch(url + path, { headers })).status
  expect(await statusOf({ ...ofPage, cookie })).toBe(200)
  // A form or an image of another site sends the cookie at most without the header.
  expect(await statusOf({ cookie })).toBe(401)
  expect(await statusOf({ ...ofPage, cookie, 'sec-fetch-site': 'cross-site' })).toBe(401)
  expect(await statusOf({ ...ofPage, cookie, 'sec-fetch-site': 'same-site' })).toBe(401)
  expect(await statusOf({ ...ofPage, cookie, origin: 'https://other.example' })).toBe(403)
  expect(await statusOf({ ...ofPage, cookie }, '/v1/keys')).toBe(403)
  expect(await statusOf({ ...ofPage, cookie: 'throughline_session=guess' })).toBe(401)
  expect(await statusOf({ ...ofPage, cookie, authorization: 'Bearer wrong' })).toBe(401)
  const purge = { method: 'DELETE', headers: { ...ofPage, cookie } }
  expect((await fetch(`${url}/v1/conversations/none`, purge)).status).toBe(403)
  const out = await fetch(`${url}/session`, { method: 'DELETE', headers: { ...ofPage, cookie } })
  expect(out.status).toBe(204)
  expect(await statusOf({ ...ofPage, cookie })).toBe(401)
})

it('opens a session with a key, with its tenant and role, until the key is revoked', async () => {
  const { url, firstKey, folder } = await started({ demonstration: true })
  const access = sqliteAccess(join(folder, 'access.db'))
  onTestFinished(() => access.close())
  const { key, secret } = access.createKey({ tenant: 'trial', name: 'looker', role: 'read' })
  const open = (authorization: string, headers = ofPage) =>
    fetch(`${url}/session`, { method: 'POST', headers: { ...headers, authorization } })
  expect((await open('Bearer wrong')).status).toBe(401)
  const cookie = (await open(`Bearer ${secret}`)).headers.get('set-cookie')?.split(';')[0] ?? ''
  const own = { ...ofPage, cookie }
  expect(await sessionOf(url, own)).toMatchObject({ role: 'read', tenant: 'trial' })
  // Another tenant's conversations are not there, and a role that reads changes nothing.
  expect(await (await fetch(`${url}/v1/overview`, { headers: own })).text()).not.toContain('ferry')
  expect((await fetch(`${url}/v1/conversations/ferry-timetable`, { headers: own })).status).toBe(
    404,
  )
  const create = { method: 'POST', headers: { ...own, 'content-type': 'application/json' } }
  const body = JSON.stringify({ id: 'mine' })
  expect((await fetch(`${url}/v1/conversations`, { ...create, body })).status).toBe(403)
  access.revokeKey(key.id)
  expect((await fetch(`${url}/v1/overview`, { headers: own })).status).toBe(401)
  expect((await open(`Bearer ${firstKey}`)).status).toBe(204)
})

it('ends the event streams of a session that signed out', async () => {
  const { url, signInUrl } = await started({ demonstration: true })
  const cookie = await cookieOf(signInUrl ?? '')
  const stream = await fetch(`${url}/v1/conversations/ferry-timetable/events/stream`, {
    headers: { ...ofPage, cookie },
  })
  const reader = stream.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  await fetch(`${url}/session`, { method: 'DELETE', headers: { ...ofPage, cookie } })
  let isDone = false
  while (!isDone) isDone = (await reader?.read())?.done ?? true
  expect(isDone).toBe(true)
})

it('has a demonstration that was compacted by the normal rules', async () => {
  const { url, firstKey } = await started({ demonstration: true })
  const headers = { authorization: `Bearer ${firstKey}`, 'content-type': 'application/json' }
  const read = async (path: string) =>
    (await fetch(`${url}/v1/conversations${path}`, { headers })).json()
  const status = await read('/ferry-timetable/status')
  expect(status).toMatchObject({ conversation: { head: 205 } })
  const { items } = (await read('/ferry-timetable/compactions')) as { readonly items: object[] }
  expect(items.length).toBeGreaterThanOrEqual(3)
  expect(JSON.stringify(items)).not.toContain('"manual"')
  const body = JSON.stringify({ model: 'demo/agent:16k' })
  const context = await fetch(`${url}/v1/conversations/ferry-timetable/context`, {
    method: 'POST',
    headers,
    body,
  })
  const { tokens, available, messages } = (await context.json()) as {
    readonly tokens: number
    readonly available: number
    readonly messages: readonly object[]
  }
  expect(tokens).toBeLessThan(available)
  expect(JSON.stringify(messages)).toContain('47113')
})

it('allows scripts and styles only from its own files, and a style in the page only for the list of operations', async () => {
  const { url } = await started()
  const policyOf = async (path: string) =>
    (await fetch(`${url}${path}`)).headers.get('content-security-policy')
  const page = (await policyOf('/')) ?? ''
  expect(page).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(page).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
  expect(page).not.toContain('unsafe')
  expect(await policyOf('/docs')).toContain("default-src 'none'; style-src 'unsafe-inline'")
  for (const path of ['/openapi.json', '/v1/conversations', '/none'])
    expect(await policyOf(path)).toBe("default-src 'none'; frame-ancestors 'none'")
  const [, script = ''] = /src="([^"]+)"/.exec(await (await fetch(url)).text()) ?? []
  const file = await fetch(url + script)
  expect(file.headers.get('cache-control')).toContain('immutable')
  expect(file.headers.get('content-type')).toContain('text/javascript')
})

it('has no sign-in link where other machines reach the server, and asks for TLS', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-start-'))
  const settings = (host: string) =>
    readServerSettings({ folder, port: 0, logLevel: 'silent', host }, { env: {} })
  const { firstKey, stop } = await startServer(settings('127.0.0.1'), {})
  await stop()
  const server = await startServer(settings('0.0.0.0'), {})
  expect(server.signInUrl).toBeNull()
  const url = `http://127.0.0.1:${new URL(server.url).port}`
  expect((await fetch(`${url}/sign-in?token=`, { redirect: 'manual' })).status).toBe(404)
  const headers = { ...ofPage, authorization: `Bearer ${firstKey}` }
  const opened = await fetch(`${url}/session`, { method: 'POST', headers })
  const setCookie = opened.headers.get('set-cookie') ?? ''
  expect(setCookie).toContain('HttpOnly; SameSite=Strict')
  expect(setCookie).toContain('; Secure')
  const cookie = setCookie.split(';')[0] ?? ''
  // Where the databases are is for people on the same machine.
  expect(await sessionOf(url, { ...ofPage, cookie })).toMatchObject({ role: 'admin', folder: null })
  await server.stop()
  rmSync(folder, { recursive: true })
})

it('ends links after an hour and sessions after twelve', () => {
  let now = 0
  const access = sqliteAccess(':memory:')
  onTestFinished(() => access.close())
  const signIn = createSignIn(access, true, () => now)
  const path = signIn.createPath()
  const late = signIn.createPath()
  const link = signIn.answerLink(new Request(`http://localhost${path}`))
  const cookie = link.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(link.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Strict')
  const request = new Request('http://localhost/', { headers: { ...ofPage, cookie } })
  expect(signIn.keyOf(request)).toMatchObject({ role: 'write', tenant: 'default' })
  now = 3_600_001
  const answer = signIn.answerLink(new Request(`http://localhost${late}`))
  expect(answer.headers.get('set-cookie')).toBeNull()
  now = 12 * 3_600_000 + 1
  expect(signIn.keyOf(request)).toBeNull()
})
