/** What the fault server refuses, and proof that these tests would notice a lax server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateText, jsonSchema, Output, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { apiNames, clientOf, seenBy } from '../fault-server.test-support.ts'
import { createFaultServer } from '../fault-server.ts'
import type { FaultServer, FaultServerOptions } from './settings.ts'
import {
  statusOf,
  takenBy,
  validFormats,
  validRequests,
  wrongRequests,
} from './strict.test-support.ts'

let close: () => Promise<unknown>
afterEach(() => close())

async function serve(options: FaultServerOptions = {}): Promise<FaultServer> {
  const server = await createFaultServer(options)
  close = server.close
  return server
}

/** A server that checks nothing, or only the path. */
async function serveLaxly(statusOfPath: (path: string) => number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(statusOfPath(request.url ?? '')).end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

describe('a strict provider', () => {
  it.each([...validRequests, ...validFormats])(
    'accepts a valid request: $name',
    async (request) => {
      const { url } = await serve()
      expect(await statusOf(url, request)).toBe(200)
    },
  )

  it('refuses each request that has one fault, without calling the model', async () => {
    const { url, requests } = await serve()
    expect(await takenBy(url)).toEqual([])
    expect(requests).toHaveLength(wrongRequests.length)
    expect(requests.filter(({ question }) => question !== null)).toEqual([])
    expect(requests.filter(({ problems }) => problems.length === 0)).toEqual([])
  })

  it('differs from a server that checks nothing', async () => {
    expect(await takenBy(await serveLaxly(() => 200))).toHaveLength(wrongRequests.length)
  })

  it('differs from a server that checks only the path', async () => {
    const lax = await serveLaxly((path) => (path.endsWith('/unknown') ? 404 : 200))
    const right = wrongRequests.filter(({ status }) => status === 404).length
    expect(right).toBe(3)
    expect(await takenBy(lax)).toHaveLength(wrongRequests.length - right)
  })

  it('refuses with the error format of its service', async () => {
    const { url } = await serve({ models: ['known'] })
    const refusals = await Promise.all(
      validRequests.map(async ({ path, headers, body }) => {
        const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
        return [response.status, await response.json()]
      }),
    )
    const openai = {
      error: {
        message: 'The model `any-model` does not exist.',
        type: 'invalid_request_error',
        param: null,
        code: 'model_not_found',
      },
    }
    expect(refusals).toEqual([
      [404, openai],
      [404, openai],
      [
        404,
        {
          type: 'error',
          error: { type: 'not_found_error', message: 'The model `any-model` does not exist.' },
          request_id: expect.stringMatching(/^req_/),
        },
      ],
    ])
  })

  it('refuses a body that is longer than any service accepts', async () => {
    const { url } = await serve()
    const [request] = validRequests
    if (request === undefined) throw new Error('no request')
    const long = { ...request, body: new Uint8Array(33 * 1024 * 1024) }
    expect(await statusOf(url, long)).toBe(413)
  })
})

const look = tool({
  description: 'Looks.',
  inputSchema: jsonSchema<object>({ type: 'object', properties: {}, additionalProperties: false }),
  execute: () => 'seen',
})

describe.each(apiNames)('the client of %s', (api) => {
  it('is refused with a wrong key and with a wrong path', async () => {
    const { url } = await serve()
    expect(await seenBy(clientOf(api, url, { apiKey: 'no' }), 'whole')).toBe('401 final')
    expect(await seenBy(clientOf(api, `${url}/v2`), 'stream')).toBe('404 final')
  })

  it('is refused if it sends tools', async () => {
    const server = await serve({ tools: 'refused' })
    const asked = generateText({
      model: clientOf(api, server.url),
      prompt: 'Well?',
      tools: { look },
      maxOutputTokens: 64,
      maxRetries: 0,
    })
    await expect(asked).rejects.toThrow(/tools|not accepted/)
    expect(server.requests[0]?.problems).toEqual(['tools are not accepted by this server'])
  })

  it('is recorded with the names of its tools, if they are accepted', async () => {
    const server = await serve()
    const model = clientOf(api, server.url)
    await generateText({ model, prompt: 'Well?', tools: { look }, maxOutputTokens: 64 })
    expect(server.requests[0]?.question?.toolNames).toEqual(['look'])
  })
})

describe('a schema', () => {
  const schema = jsonSchema<{ readonly port: number }>({
    type: 'object',
    properties: { port: { type: 'number' } },
    required: ['port'],
    additionalProperties: false,
  })

  it.each([
    ['openai-chat', 'any-model'],
    ['openai-responses', 'any-model'],
    ['anthropic-messages', 'claude-haiku-4-5'],
  ] as const)(
    'arrives through %s, and an answer of another schema is noticed',
    async (api, model) => {
      const server = await serve({ answers: '{"port":48213}', faults: [null, 'wrong-schema'] })
      const ask = () =>
        generateText({
          model: clientOf(api, server.url, { model }),
          prompt: 'What is the port?',
          output: Output.object({ schema }),
          maxRetries: 0,
        })
      expect((await ask()).output).toEqual({ port: 48213 })
      expect(server.requests[0]?.question?.schema).toMatchObject({ required: ['port'] })
      expect(server.requests[0]?.question?.toolNames).toEqual([])
      await expect(ask().then(({ output }) => output)).resolves.not.toEqual({ port: 48213 })
    },
  )
})
