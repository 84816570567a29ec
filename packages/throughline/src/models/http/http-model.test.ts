import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelFault, modelFaults } from '../../../../../harness/fault-server/faults.ts'
import type { FaultServer } from '../../../../../harness/fault-server/settings.ts'
import { createFaultServer } from '../../../../../harness/fault-server.ts'
import type { LanguageModel, ModelRequest } from '../../ports/language-model.ts'
import { type HttpModelOptions, httpModel } from './http-model.ts'
import type { HttpApi } from './stream-reply.ts'

let server: FaultServer
beforeAll(async () => {
  server = await createFaultServer({
    answers: 'Ada asked for the invoice of March, and it was sent.',
    models: ['small', 'gpt-5-mini'],
    pace: { byteEveryMs: 50, retryAfterMs: 1_500, hugeBytes: 12 * 1024 * 1024 },
  })
})
afterAll(() => server.close())

const request: ModelRequest = {
  system: 'Summarise.',
  messages: [{ role: 'user', content: 'Ada asked for the invoice of March.' }],
  maxOutputTokens: 300,
  temperature: 0.2,
  schema: null,
}

const modelOf = (api: HttpApi, options: Partial<HttpModelOptions> = {}) =>
  httpModel({ api, baseUrl: server.url, key: 'test-key', model: 'small', ...options })

const ask = (model: LanguageModel, signal = new AbortController().signal, given = request) =>
  model.generate(given, { signal })

/** The failure that each fault causes; faults of content cause none. */
const causes: Partial<Record<ModelFault, string>> = {
  'rate-limit': 'transport',
  'rate-limit-date': 'transport',
  'rate-limit-ms': 'transport',
  'server-error': 'transport',
  unavailable: 'transport',
  overloaded: 'transport',
  hang: 'timeout',
  'hang-after-headers': 'timeout',
  slow: 'timeout',
  reset: 'transport',
  'reset-after-headers': 'transport',
  'truncated-stream': 'transport',
  'truncated-json': 'transport',
  'error-event': 'transport',
  'wrong-shape': 'invalid',
  'html-body': 'invalid',
  'empty-body': 'transport',
  huge: 'invalid',
}

describe.each<HttpApi>(['openai', 'anthropic'])('a model over HTTP (%s)', (api) => {
  it('answers, with its usage and its name', async () => {
    server.arm(null)
    expect(await ask(modelOf(api, { id: 'house/small' }))).toMatchObject({
      kind: 'answered',
      text: 'Ada asked for the invoice of March, and it was sent.',
      finish: 'stop',
      model: 'house/small',
      usage: { inputTokens: expect.any(Number), outputTokens: 13 },
    })
    expect(server.requests.at(-1)).toMatchObject({
      problems: [],
      ended: 'whole',
      question: { system: 'Summarise.', maxOutputTokens: 300, stream: true },
    })
  })

  it.each(modelFaults)('returns %s as a value, and never throws', async (fault) => {
    server.arm([fault])
    const timeoutMs = causes[fault] === 'timeout' ? 150 : 5_000
    const outcome = await ask(modelOf(api, { timeoutMs }))
    if (causes[fault] === undefined) expect(outcome).toMatchObject({ kind: 'answered' })
    else expect(outcome).toMatchObject({ kind: 'failed', failure: { cause: causes[fault] } })
  })

  it('distinguishes refused, cut-off and reasoning-only replies from an answer', async () => {
    server.arm(['refusal', 'cut-off', 'thinking-only'])
    const model = modelOf(api)
    expect(await ask(model)).toMatchObject({ finish: 'filter' })
    expect(await ask(model)).toMatchObject({ finish: 'length' })
    expect(await ask(model)).toMatchObject({ text: '' })
  })

  it('reports the pause that the provider asks for', async () => {
    server.arm(['rate-limit-ms'])
    expect(await ask(modelOf(api))).toMatchObject({ failure: { status: 429, retryAfterMs: 1_500 } })
  })

  it('refuses a wrong key or an unknown model, and never reports the key', async () => {
    const key = 'sk-wrong-0123456789abcdef0123456789abcdef'
    const outcome = await ask(modelOf(api, { key }))
    expect(outcome).toMatchObject({ failure: { cause: 'refused', status: 401 } })
    expect(JSON.stringify(outcome)).not.toContain(key)
    expect(await ask(modelOf(api, { model: 'large' }))).toMatchObject({
      failure: { cause: 'refused', status: 404 },
    })
  })

  it('closes the connection when it is aborted', async () => {
    server.arm(['hang-after-headers'])
    const stop = new AbortController()
    const before = server.requests.length
    const asked = ask(modelOf(api), stop.signal)
    await expect.poll(() => server.requests.length).toBe(before + 1)
    stop.abort()
    expect(await asked).toMatchObject({ failure: { cause: 'aborted' } })
    await expect.poll(() => server.requests.at(-1)?.ended).toBe('left')
  })
})

it('sends reasoning models the parameters that they accept', async () => {
  server.arm(null)
  await ask(modelOf('openai', { model: 'gpt-5-mini' }))
  expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 2_348 })
  expect(server.requests.at(-1)?.body).not.toHaveProperty('temperature')
})

it('sends a schema only with `sendsSchema`', async () => {
  const schema = {
    ...{ type: 'object', properties: { text: { type: 'string' } } },
    ...{ required: ['text'], additionalProperties: false },
  }
  const signal = new AbortController().signal
  await ask(modelOf('openai'), signal, { ...request, schema })
  expect(server.requests.at(-1)?.body).not.toHaveProperty('response_format')
  await ask(modelOf('openai', { sendsSchema: true }), signal, { ...request, schema })
  expect(server.requests.at(-1)).toMatchObject({ problems: [], question: { schema } })
})

it.each([
  [{ api: 'other' }, 'api must be'],
  [{ baseUrl: 'file:///models' }, 'baseUrl'],
  [{ baseUrl: 'https://name:word@example.com/v1' }, 'baseUrl'],
  [{ key: 'sk-secret\nvalue' }, 'the key'],
  [{ model: ' ' }, 'model'],
  [{ fetch: null }, 'has no option "fetch"'],
])('is refused at once with %j', (wrong, why) => {
  const make = () => modelOf('openai', wrong as Partial<HttpModelOptions>)
  expect(make).toThrow(why)
  expect(make).not.toThrow('secret')
})
