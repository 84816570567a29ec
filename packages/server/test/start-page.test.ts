import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline } from 'throughline'
import { expect, it, onTestFinished } from 'vitest'
import { readServerSettings, startServer } from '../src/index.ts'
import { createSignIn } from '../src/sign-in.ts'
import { startPages } from '../src/start-page.ts'

async function started(more: Readonly<Record<string, unknown>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-start-'))
  const given = { folder, port: 0, logLevel: 'silent' as const, ...more }
  const server = await startServer(readServerSettings(given, { env: {} }), {})
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return server
}

async function signedIn(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const link = await fetch(url, { redirect: 'manual' })
  const cookie = link.headers.get('set-cookie')?.split(';')[0]
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie }
  const page = await fetch(new URL('/', url), { headers })
  return { status: link.status, text: await page.text() }
}

it('shows what is stored only after the sign-in link, which works once', async () => {
  const { url, signInUrl, firstKey } = await started({ demonstration: true })
  const visitor = await fetch(url)
  expect(await visitor.text()).not.toContain('ferry-timetable')
  const first = await signedIn(signInUrl ?? '')
  expect(first.text).toContain('The timetable of the ferries')
  expect(first.text).toContain('fork of ferry-timetable at #81')
  expect(first.text).not.toContain(firstKey)
  const second = await signedIn(signInUrl ?? '')
  expect(second.status).toBe(303)
  expect(second.text).not.toContain('ferry-timetable')
  // The session of the page is no key of the API.
  const cookie = (await fetch(signInUrl ?? '', { redirect: 'manual' })).headers.get('set-cookie')
  expect(cookie).toBeNull()
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

it('shows any text as text, and allows no script', async () => {
  const tl = createThroughline()
  const title = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&'
  await tl.begin('"><svg onload=alert(3)>', { title })
  const signIn = createSignIn()
  const pages = startPages({ tenant: tl, signIn, folder: '/<b>data</b>' })
  const link = signIn.answer(new Request(`http://localhost${signIn.createPath()}`))
  const cookie = link.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = await pages['/']?.(new Request('http://localhost/', { headers: { cookie } }))
  const text = (await page?.text()) ?? ''
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(text).not.toMatch(/<script|<img|<svg|<b>data/)
  expect(page?.headers.get('content-security-policy')).toContain(
    "default-src 'none'; style-src 'self'",
  )
  await tl.close()
})

it('allows a style in the page only for the list of operations', async () => {
  const { url } = await started()
  const policyOf = async (path: string) =>
    (await fetch(`${url}${path}`)).headers.get('content-security-policy')
  expect(await policyOf('/docs')).toContain("default-src 'none'; style-src 'unsafe-inline'")
  expect(await policyOf('/')).toContain("style-src 'self'")
  for (const path of ['/openapi.json', '/v1/conversations', '/none'])
    expect(await policyOf(path)).toBe("default-src 'none'; frame-ancestors 'none'")
})

it('has no sign-in link where other machines reach the server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-start-'))
  const settings = (host: string) =>
    readServerSettings({ folder, port: 0, logLevel: 'silent', host }, { env: {} })
  await (await startServer(settings('127.0.0.1'), {})).stop()
  const server = await startServer(settings('0.0.0.0'), {})
  expect(server.signInUrl).toBeNull()
  const port = new URL(server.url).port
  expect(
    (await fetch(`http://127.0.0.1:${port}/sign-in?token=`, { redirect: 'manual' })).status,
  ).toBe(404)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).not.toContain(folder)
  await server.stop()
  rmSync(folder, { recursive: true })
})

it('ends links after an hour and sessions after twelve', () => {
  let now = 0
  const signIn = createSignIn(() => now)
  const path = signIn.createPath()
  const late = signIn.createPath()
  const link = signIn.answer(new Request(`http://localhost${path}`))
  const cookie = link.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(link.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Lax')
  const request = new Request('http://localhost/', { headers: { cookie } })
  expect(signIn.isSignedIn(request)).toBe(true)
  now = 3_600_001
  expect(signIn.answer(new Request(`http://localhost${late}`)).headers.get('set-cookie')).toBeNull()
  now = 12 * 3_600_000 + 1
  expect(signIn.isSignedIn(request)).toBe(false)
})
