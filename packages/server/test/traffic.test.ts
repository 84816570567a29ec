/** Over real connections: slow clients, time limits, stopping, and event streams. */
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline, type Store } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createServer,
  readServerSettings,
  type StartedServer,
  sqliteAccess,
  startServer,
} from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-traffic-'))
const started: StartedServer[] = []
const start = async (settings: object = {}) => {
  const at = mkdtempSync(join(folder, 'data-'))
  const given = { folder: at, port: 0, logLevel: 'silent' as const, ...settings }
  const server = await startServer(readServerSettings(given, { env: {} }))
  started.push(server)
  return { ...server, key: server.firstKey ?? '', port: Number(new URL(server.url).port) }
}

afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()))
  rmSync(folder, { recursive: true })
})

/** Resolves when the server no longer takes requests. */
async function refuses(url: string): Promise<void> {
  const { status } = await fetch(`${url}/readyz`)
  if (status !== 503) await refuses(url)
}

const headersOf = (key: string) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
})
const append = (url: string, key: string, content: string, id = 'a') =>
  fetch(`${url}/v1/conversations/${id}/messages`, {
    method: 'POST',
    headers: headersOf(key),
    body: JSON.stringify({ messages: [{ role: 'user', content }] }),
  })

/** Sends bytes as they are, and collects the answer until the server closes the connection. */
function raw(port: number, write: (send: (text: string) => void) => void): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      answer += chunk
    })
    socket.on('error', () => resolve(answer))
    socket.on('close', () => resolve(answer))
    socket.on('connect', () => write((text) => void socket.write(text)))
  })
}

describe('a slow client', () => {
  it('gets no answer to a request whose body does not come in time, and holds nothing', async () => {
    const { port, key, url } = await start({ limits: { timeoutMs: 300 } })
    const startedAt = performance.now()
    const answer = await raw(port, (send) => {
      send(`POST /v1/conversations/a/messages HTTP/1.1\r\nHost: localhost\r\n`)
      send(`Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`)
      send(`Content-Length: 100\r\n\r\n{"messages":`)
    })
    expect(answer).toMatch(/ (408|503) /)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  it('cannot smuggle headers or requests through a path, a header or a length', async () => {
    const { port, key } = await start()
    const authorization = `Authorization: Bearer ${key}`
    const requests = [
      `GET /v1/conversations/a%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nConnection: close\r\n\r\n`,
      `GET /v1/conversations HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nX: a\nEvil: b\r\nConnection: close\r\n\r\n`,
      `POST /v1/conversations/a/messages HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\nGET /v1/keys HTTP/1.1\r\n\r\n`,
    ]
    for (const text of requests) {
      const answer = await raw(port, (send) => send(text))
      expect(answer, text).toMatch(/^HTTP\/1.1 4\d\d/)
      expect(answer).not.toMatch(/^x-evil/im)
      expect(answer.match(/^HTTP\/1.1/gm)).toHaveLength(1)
    }
  })
})

describe('the time limit', () => {
  it('answers with 503 and aborts the work', async () => {
    const store = memory()
    let held = Promise.resolve()
    const slow: Store = {
      ...store,
      tenant: (id) => {
        const tenant = store.tenant(id)
        return {
          ...tenant,
          load: async (query) => {
            await held
            return tenant.load(query)
          },
        }
      },
    }
    const throughline = createThroughline({ store: slow })
    const access = sqliteAccess(':memory:')
    const { secret } = access.createKey({ tenant: 'default', name: 'a', role: 'admin' })
    const server = createServer({ throughline, access, limits: { timeoutMs: 50 } })
    const chat = throughline.conversation('a')
    await chat.append({ role: 'user', content: 'One.' })
    const release = Promise.withResolvers<void>()
    held = release.promise
    const edit = (content: string) =>
      server.fetch(
        new Request('http://localhost/v1/conversations/a/messages/0', {
          ...{ method: 'PUT', headers: { ...headersOf(secret), 'idempotency-key': content } },
          body: JSON.stringify({ role: 'user', content }),
        }),
      )
    // The second waits for the first, and its time is over before its turn.
    const [first, second] = ['Two.', 'Three.'].map(edit)
    expect((await second)?.status).toBe(503)
    release.resolve()
    await first
    await server.stop()
    expect(JSON.stringify(await Array.fromAsync(chat.messages()))).not.toContain('Three.')
    // It had no effect, so that it may be sent again.
    const write = {
      tenant: 'default',
      key: 'Three.',
      fingerprint: 'f',
      conversation: 'a',
      repeatable: false,
    }
    expect(access.reserve(write)).toEqual({ kind: 'new' })
    await throughline.close()
    access.close()
  })

  it('aborts a context while it is built', async () => {
    let aborted: unknown = null
    const throughline = createThroughline()
    await throughline.conversation('a').append({ role: 'user', content: 'One.' })
    const handle = throughline.tenant('default')
    const hanging = {
      ...throughline,
      tenant: () => ({
        ...handle,
        conversation: (id: string) => ({
          ...handle.conversation(id),
          context: (input: { readonly signal?: AbortSignal | undefined }) =>
            new Promise<never>((_, reject) => {
              input.signal?.addEventListener('abort', () => {
                aborted = input.signal?.reason
                reject(input.signal?.reason)
              })
            }),
        }),
      }),
    }
    const access = sqliteAccess(':memory:')
    const { secret } = access.createKey({ tenant: 'default', name: 'a', role: 'admin' })
    const limits = { timeoutMs: 50 }
    const server = createServer({ throughline: hanging, access, limits })
    const answer = await server.fetch(
      new Request('http://localhost/v1/conversations/a/context', {
        ...{ method: 'POST', headers: headersOf(secret), body: '{"model":"gpt-4o"}' },
      }),
    )
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'TIMED_OUT' })
    expect(aborted).toMatchObject({ code: 'TIMED_OUT' })
    await server.stop()
    await throughline.close()
    access.close()
  })
})

describe('a server that stops', () => {
  it('sends an export to its end, refuses new requests, and ends event streams', async () => {
    const { url, key, stop } = await start()
    const long = 'x'.repeat(200_000)
    for (let at = 0; at < 60; at += 1) await append(url, key, long)
    const events = await fetch(`${url}/v1/conversations/a/events/stream`, {
      headers: headersOf(key),
    })
    const exported = await new Promise<{ bytes: number; complete: boolean }>((resolve, reject) => {
      let bytes = 0
      const sent = request(
        `${url}/v1/conversations/a/export`,
        { headers: headersOf(key) },
        (answer) => {
          let stopped: Promise<void> | null = null
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (stopped !== null) return
            stopped = stop()
            // A slow reader, who continues after the server has started to refuse requests.
            answer.pause()
            void refuses(url).then(() => answer.resume())
          })
          answer.on('end', () => resolve({ bytes, complete: answer.complete }))
          answer.on('error', reject)
        },
      )
      sent.on('error', reject)
      sent.end()
    })
    expect(exported.complete).toBe(true)
    expect(exported.bytes).toBeGreaterThan(60 * long.length)
    expect(await events.text()).toContain('event: messages-appended')
    await expect(append(url, key, 'Late.').then(({ status }) => status)).rejects.toThrow()
  })
})

describe('a trusted proxy', () => {
  const ask = async (port: number, headers: Readonly<Record<string, string>>) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path: '/healthz', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.end()
    })
  const forwarded = {
    ...{ host: 'internal', 'x-forwarded-host': 'api.example', 'x-forwarded-proto': 'https' },
    origin: 'https://api.example',
  }

  it('names host, protocol and client; another peer does not', async () => {
    const trusting = await start({ hosts: ['api.example'], trustedProxies: ['127.0.0.0/8'] })
    expect(await ask(trusting.port, forwarded)).toBe(200)
    expect(await ask(trusting.port, { ...forwarded, 'x-forwarded-host': 'evil.example' })).toBe(421)
    const plain = await start({ hosts: ['api.example'] })
    expect(await ask(plain.port, forwarded)).toBe(421)
    expect(await ask(plain.port, { ...forwarded, host: 'api.example' })).toBe(403)
  })

  it('must be an address or a network', () => {
    for (const each of ['proxy', '10.0.0.0/33', '10.0.0', '::1/129', ''])
      expect(() => readServerSettings({ trustedProxies: [each] }, { env: {} })).toThrow(
        /trustedProxies/,
      )
  })
})

describe('the event stream', () => {
  let server: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    server = await start()
  })

  interface Frame {
    readonly id: string | null
    readonly kind: string
  }

  /** Reads until `isEnough`, or until the server ends the stream. */
  async function readFrames(id: string, after: string | null, isEnough: (all: Frame[]) => boolean) {
    const { url, key } = server
    const answer = await fetch(`${url}/v1/conversations/${id}/events/stream`, {
      headers: { ...headersOf(key), ...(after !== null && { 'last-event-id': after }) },
    })
    const frames: Frame[] = []
    let text = ''
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const whole = text.split('\n\n')
      text = whole.pop() ?? ''
      for (const each of whole) {
        const [, kind] = /^event: (.+)$/m.exec(each) ?? []
        if (kind !== undefined) frames.push({ id: /^id: (.+)$/m.exec(each)?.[1] ?? null, kind })
      }
      if (isEnough(frames)) break
    }
    return frames
  }

  it('has hundreds of events, each once and in order', async () => {
    const { url, key } = server
    for (let at = 0; at < 10; at += 1)
      await Promise.all(Array.from({ length: 50 }, () => append(url, key, 'One.', 'many')))
    const frames = await readFrames('many', null, (all) => all.length >= 501)
    const numbers = frames.map(({ id }) => Number(id?.split('.')[1]))
    expect(numbers).toEqual(Array.from({ length: 501 }, (_, at) => at + 1))
    const [, , third] = frames
    const rest = await readFrames('many', third?.id ?? null, (all) => all.length >= 498)
    expect(rest).toEqual(frames.slice(3))
  })

  it('says that a conversation was purged, and resumes with the new one', async () => {
    const { url, key } = server
    const purge = () =>
      fetch(`${url}/v1/conversations/gone`, { method: 'DELETE', headers: headersOf(key) })
    await append(url, key, 'One.', 'gone')
    const open = readFrames('gone', null, () => false)
    const [first] = await readFrames('gone', null, (all) => all.length > 0)
    await purge()
    expect((await open).at(-1)).toEqual({ id: null, kind: 'conversation-purged' })
    await append(url, key, 'Two.', 'gone')
    const again = await readFrames('gone', first?.id ?? null, (all) => all.length >= 3)
    expect(again.map(({ kind }) => kind)).toEqual([
      'conversation-purged',
      'conversation-created',
      'messages-appended',
    ])
    expect(again[1]?.id).not.toBe(first?.id)
  })
})
