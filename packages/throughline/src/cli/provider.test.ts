import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FaultServer, FaultServerOptions } from '../../../../harness/fault-server/settings.ts'
import { createFaultServer } from '../../../../harness/fault-server.ts'
import type { Receipt } from '../index.ts'
import { sessionOf, type TestWorld, testWorld } from './world.test-support.ts'

const summary =
  'User had files read one by one, and wanted their limits to be raised, which was done.'

async function served(options: FaultServerOptions = {}): Promise<FaultServer> {
  const server = await createFaultServer({ answers: summary, ...options })
  onTestFinished(() => server.close())
  return server
}

async function talked(env: Record<string, string>, url: string): Promise<TestWorld> {
  const test = testWorld({
    env: {
      ...{ THROUGHLINE_POLICY: 'chat', THROUGHLINE_TOKENIZER: 'estimate' },
      ...{ THROUGHLINE_MODEL: 'house/chat', HOUSE_KEY: 'test-key', ...env },
    },
  })
  await test.run('config', 'set', 'providers', providersText('openai', url))
  await test.engine((tl) => tl.conversation('c').append(sessionOf(60)))
  return test
}

function providersText(api: string, url: string): string {
  return JSON.stringify({ house: { api, baseUrl: url, keyEnv: 'HOUSE_KEY' } })
}

const compact = ['compact', 'c', '--window', '4000', '--summarizer', 'house/writer']

describe('a configured provider', () => {
  it.each(['openai', 'anthropic'])('writes summaries over the API of %s', async (api) => {
    const server = await served()
    const test = await talked({}, server.url)
    await test.run('config', 'set', 'providers', providersText(api, server.url))
    const receipt = (await test.json(...compact, '--instructions', 'the limits')) as Receipt
    expect(receipt.madeBy).toMatchObject({ model: 'house/writer' })
    expect(receipt.summarization?.attempts[0]).toMatchObject({
      outcome: { kind: 'accepted' },
      usage: { inputTokens: expect.any(Number) },
    })
    const [request] = server.requests
    expect(request?.problems).toEqual([])
    expect(request?.question?.messages.at(-1)?.text).toContain('the limits')
    expect((await test.run('context', 'c', '--window', '4000', '--full')).stdout).toContain(
      'had files read',
    )
  })

  it.each(['truncated-stream', 'error-event'] as const)(
    'that fails with %s falls back to rules',
    async (fault) => {
      const server = await served({ faults: () => fault })
      const test = await talked({}, server.url)
      const receipt = (await test.json(...compact)) as Receipt
      expect(receipt.madeBy).toMatchObject({ summarizer: 'rules' })
      expect(receipt.summarization?.attempts[0]?.outcome.kind).toBe('failed')
    },
  )

  it('is not called without its API key, and the key is never printed', async () => {
    const server = await served({ apiKey: 'another' })
    const keyless = await talked({ HOUSE_KEY: '' }, server.url)
    expect(await keyless.run(...compact)).toMatchObject({
      exitCode: 78,
      stderr: expect.stringContaining('the API key is missing: set HOUSE_KEY to call house'),
    })
    const wrong = await talked({ HOUSE_KEY: 'sk-not-the-right-one' }, server.url)
    const { stdout, stderr } = await wrong.run(...compact)
    expect(`${stdout}${stderr}`).not.toContain('sk-not')
    expect(stdout).toMatch(/model calls +1/)
  })

  it('gets no API key after a redirect', async () => {
    const seen: string[] = []
    const thief = await listening((request) => seen.push(String(request.headers.authorization)))
    const server = createServer((_, response) => {
      response.writeHead(307, { location: `${thief}/v1/chat/completions` }).end()
    })
    const test = await talked({}, await listen(server))
    const receipt = (await test.json(...compact)) as Receipt
    expect(receipt.madeBy).toMatchObject({ summarizer: 'rules' })
    expect(seen).toEqual([])
  })
})

function listening(note: (request: import('node:http').IncomingMessage) => void): Promise<string> {
  return listen(
    createServer((request, response) => {
      note(request)
      response.end('{}')
    }),
  )
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
