/** What the client does where the network or the server fails. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type StreamedEvent } from '@throughline/client'
import { readServerSettings, type StartedServer, startServer } from '@throughline/server'
import { isThroughlineError } from 'throughline'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { chanceOf } from '../../../harness/kernel/chance.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-network-'))
let server: StartedServer
let key: string
const hello = { role: 'user', content: 'Hello' } as const

beforeAll(async () => {
  const given = { folder, port: 0, logLevel: 'silent' as const, limits: { requestsPerMinute: 1e6 } }
  server = await startServer(readServerSettings(given, { env: {} }), {})
  key = server.firstKey ?? ''
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function clientAt(url: string, more: object = {}): Client {
  const client = createClient({ url, key, ...more })
  onTestFinished(() => client.close())
  return client
}

/** A proxy that cuts a connection after some bytes of the answer, or never with `Infinity`. */
async function cuttingProxy(bytesUntilCut: () => number): Promise<string> {
  const target = Number(new URL(server.url).port)
  const sockets = new Set<Socket>()
  const proxy = createTcpServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1')
    let left = bytesUntilCut()
    const cut = () => {
      incoming.destroy()
      outgoing.destroy()
    }
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', cut).on('close', cut)
    }
    incoming.on('data', (chunk) => outgoing.write(chunk))
    outgoing.on('data', (chunk) => {
      incoming.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) cut()
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as { readonly port: number }).port}`
}

/** Answers with one status after the other, then with the last one. */
async function answering(
  ...answers: readonly {
    readonly status: number
    readonly body?: object
    readonly retryAfter?: number
  }[]
) {
  const keys: (string | undefined)[] = []
  const http = createHttpServer((request, response) => {
    const {
      status,
      body = {},
      retryAfter,
    } = answers[Math.min(keys.length, answers.length - 1)] ?? { status: 500 }
    keys.push(request.headers['idempotency-key'] as string | undefined)
    request.resume()
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  const { port } = http.address() as { readonly port: number }
  return { url: `http://127.0.0.1:${port}`, keys }
}

async function errorOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!isThroughlineError(error)) throw new Error(`no ThroughlineError: ${String(error)}`)
  return { code: error.code, details: error.details, message: error.message }
}

it('appends each message once although every third connection is cut in its answer', async () => {
  const chance = chanceOf('cuts')
  const url = await cuttingProxy(() => (chance.once(3) ? chance.between(0, 400) : Infinity))
  const chat = clientAt(url, { retries: 20 }).conversation('cut')
  for (let n = 0; n < 120; n += 1) await chat.append({ role: 'user', content: `message ${n}` })
  const texts = (await Array.fromAsync(chat.messages())).map(({ parts: [part] }) =>
    part?.type === 'text' ? part.text : '',
  )
  expect(texts).toEqual(Array.from({ length: 120 }, (_, n) => `message ${n}`))
})

it('uses one Idempotency-Key for all attempts of a write, and waits as long as the server asks', async () => {
  const problem = { code: 'REQUEST_RUNNING', detail: 'running' }
  const { url, keys } = await answering(
    { status: 503, body: { code: 'STOPPING' }, retryAfter: 1 },
    { status: 409, body: problem },
    { status: 201, body: { head: 1, entries: [], usage: null } },
  )
  const started = performance.now()
  await clientAt(url).conversation('c').append(hello)
  expect(performance.now() - started).toBeGreaterThanOrEqual(990)
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
})

it('gives up with SERVER_UNREACHABLE, which a program may retry', async () => {
  const gone = createTcpServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as { readonly port: number }
  gone.close()
  const refused = clientAt(`http://127.0.0.1:${port}`, { retries: 1 })
    .conversation('c')
    .append(hello)
  expect(await errorOf(refused)).toMatchObject({
    code: 'SERVER_UNREACHABLE',
    message: /ECONNREFUSED/,
  })
  const { url, keys } = await answering({ status: 503 })
  const busy = clientAt(url, { retries: 2 }).conversation('c').info()
  expect((await errorOf(busy)).code).toBe('SERVER_UNREACHABLE')
  expect(keys).toHaveLength(3)
})

it('reports a request that takes too long, and one that is aborted', async () => {
  const stop = new AbortController()
  const reason = new Error('enough')
  let isToBeAborted = false
  const silent = createHttpServer(() => {
    if (isToBeAborted) stop.abort(reason)
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const url = `http://127.0.0.1:${(silent.address() as { readonly port: number }).port}`
  const late = clientAt(url, { retries: 1, timeoutMs: 50 }).conversation('c').info()
  expect((await errorOf(late)).code).toBe('SERVER_UNREACHABLE')
  isToBeAborted = true
  const waiting = clientAt(url).withSignal(stop.signal).conversation('c').info()
  await expect(waiting).rejects.toBe(reason)
  const client = clientAt(url)
  const closed = client.conversation('c').info()
  await client.close()
  expect((await errorOf(closed)).code).toBe('STORE_CLOSED')
})

it('names refusals of the server with its code', async () => {
  const wrong = clientAt(server.url, { key: 'tl_wrong' })
  expect(await errorOf(wrong.list())).toMatchObject({
    ...{ code: 'SERVER_REFUSED', details: { code: 'KEY_MISSING', status: 401 } },
  })
  const { url } = await answering({ status: 404, body: {} })
  expect(await errorOf(clientAt(url).conversation('c').append(hello))).toMatchObject({
    ...{ code: 'SERVER_REFUSED', details: { status: 404 } },
  })
  for (const options of [
    { url: 'ftp://x', key },
    { url: server.url, key: undefined },
    { url: server.url, key, retires: 1 },
    { url: server.url, key, retries: -1 },
  ])
    expect(() => createClient(options)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})

it('does not follow a redirect with its key', async () => {
  let hits = 0
  const other = createHttpServer((_, response) => {
    hits += 1
    response.end('{}')
  })
  const redirecting = createHttpServer((_, response) => {
    const { port } = other.address() as { readonly port: number }
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end()
  })
  for (const each of [other, redirecting]) {
    await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void each.close())
  }
  const url = `http://127.0.0.1:${(redirecting.address() as { readonly port: number }).port}`
  expect((await errorOf(clientAt(url, { retries: 0 }).list())).code).toBe('SERVER_UNREACHABLE')
  expect(hits).toBe(0)
})

it('follows events over cut connections without a gap or a duplicate, and across a purge', async () => {
  const chance = chanceOf('events')
  const url = await cuttingProxy(() => chance.between(600, 2_500))
  const direct = clientAt(server.url).conversation('events')
  await direct.append(hello)
  const followed: StreamedEvent[] = []
  const following = (async () => {
    for await (const each of clientAt(url, { retries: 20 }).conversation('events').follow())
      followed.push(each)
  })()
  for (let n = 0; n < 60; n += 1) await direct.append({ role: 'user', content: `message ${n}` })
  const events = await direct.events()
  const deadline = performance.now() + 60_000
  while (followed.length < events.length && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(followed.map(({ event }) => event)).toEqual(events)
  const rest: StreamedEvent[] = []
  const lastEventId = followed[49]?.id ?? undefined
  for await (const each of clientAt(server.url).conversation('events').follow({ lastEventId })) {
    rest.push(each)
    if (rest.length === events.length - 50) break
  }
  expect(rest.map(({ event }) => event)).toEqual(events.slice(50))
  await direct.history.purge()
  await following
  expect(followed.at(-1)).toEqual({ id: null, event: { kind: 'conversation-purged' } })
  // A new conversation with the same name has new events, also for those who continue after an old one.
  await direct.append(hello)
  for await (const each of clientAt(server.url).conversation('events').follow({ lastEventId })) {
    if (each.id === null) continue
    expect(each.event).toMatchObject({ kind: 'conversation-created', number: 1 })
    break
  }
})
