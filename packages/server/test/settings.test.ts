import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readServerSettings, startServer } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-settings-'))
const file = join(folder, 'server.json')

beforeAll(() => () => rmSync(folder, { recursive: true, force: true }))

function read(written: unknown, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(file, JSON.stringify(written))
  return readServerSettings({}, { env, file })
}

describe('the settings of a server', () => {
  it('come from the file, then from the environment, field by field', () => {
    const written = {
      ...{ port: 9000, hosts: ['a.example'], retention: { days: 90, tenants: { x: 7 } } },
      engine: { policy: 'chat', compaction: 'shadow' },
    }
    const settings = read(written, {
      ...{
        THROUGHLINE_PORT: '9001',
        THROUGHLINE_POLICY: 'coding',
        THROUGHLINE_RETENTION_DAYS: '30',
      },
      ...{ THROUGHLINE_HOSTS: 'b.example,c.example', THROUGHLINE_LOG: '' },
      THROUGHLINE_TRUSTED_PROXIES: '10.0.0.0/8,::1',
    })
    expect(settings).toMatchObject({
      ...{ port: 9001, hosts: ['b.example', 'c.example'], logLevel: 'info', demonstration: false },
      trustedProxies: ['10.0.0.0/8', '::1'],
      engine: { policy: 'coding', compaction: 'shadow', summarizer: null },
      retention: { days: 30, tenants: { x: 7 } },
    })
  })

  it.each([
    [{ prot: 1 }, /prot/],
    [{ engine: { polcy: 'chat' } }, /engine\.polcy/],
    [{ engine: { compaction: 'maybe' } }, /engine\.compaction/],
    [{ retention: { days: 0 } }, /retention\.days/],
    [{ retention: { days: 1.5 } }, /retention\.days/],
    [{ limits: { maxDepth: '5' } }, /limits\.maxDepth/],
    [{ trustedProxies: ['10.0.0.0/33'] }, /trustedProxies/],
    [[1], /not a JSON object/],
  ])('are refused with the name of the wrong field: %j', (written, message) => {
    expect(() => read(written)).toThrow(message)
    expect(() => read(written)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })

  it.each([
    [{ policy: 'unknown' }, {}, /unknown/],
    [{ policy: { extends: 'chat', tarket: 1 } }, {}, /tarket/],
    [{ models: [{ id: 'x', contextWindowTokens: -1 }] }, {}, /contextWindowTokens/],
    [{ summarizer: 'nowhere/model' }, {}, /unknown provider "nowhere"/],
    [{ summarizer: 'openai/gpt-5-mini' }, {}, /OPENAI_API_KEY/],
    [
      { summarizer: { model: 'a/b', baseUrl: 'http://127.0.0.1:1/v1', keyEnv: 'A_KEY' } },
      {},
      /A_KEY/,
    ],
  ])('of the engine stop the start: %j', async (engine, env, message) => {
    const settings = read({ engine, folder: join(folder, 'refused'), port: 0, logLevel: 'silent' })
    await expect(startServer(settings, env)).rejects.toThrow(message)
    await expect(startServer(settings, env)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

it('asks the configured model for summaries, with the key of the environment', async () => {
  const asked: { readonly key: string | undefined; readonly model: string }[] = []
  const provider = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { model } = JSON.parse(body) as { readonly model: string }
      asked.push({ key: request.headers.authorization, model })
      response.writeHead(500).end('{}')
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    provider.closeAllConnections()
    provider.close()
  })
  const { port } = provider.address() as { readonly port: number }
  const summarizer = {
    model: 'own/writer-1',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keyEnv: 'OWN_KEY',
  }
  const models = [{ id: 'tiny', contextWindowTokens: 4_000 }]
  const settings = read({
    engine: { summarizer, models, policy: 'chat' },
    folder: join(folder, 'model'),
    port: 0,
    logLevel: 'silent',
  })
  const server = await startServer(settings, { OWN_KEY: 'secret-1' })
  onTestFinished(() => server.stop())
  const post = (path: string, body: object) =>
    fetch(`${server.url}/v1/conversations/c/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.firstKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const messages = Array.from({ length: 60 }, (_, n) => ({
    ...{
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${n}: ${'words '.repeat(60)}`,
    },
  }))
  await post('messages', { messages })
  const context = await post('context', { model: 'tiny' })
  expect(await context.json()).toMatchObject({ budget: { windowTokens: 4_000 }, warnings: [] })
  const compacted = await post('compactions', { model: 'tiny' })
  // The provider fails, so the server says so; nothing is replaced.
  expect([201, 409]).toContain(compacted.status)
  expect(asked[0]).toEqual({ key: 'Bearer secret-1', model: 'writer-1' })
})
