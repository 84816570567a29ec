import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModel as AnySdkModel } from 'ai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LanguageModel, ModelFailure, ModelRequest } from '../ports/language-model.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { languageModel } from './language-model.ts'
import type { LanguageModelOptions } from './language-model-options.ts'
import {
  type Answer,
  anthropicEvents,
  beginEvents,
  chatAnswer,
  chatDelta,
  chatUsage,
  events,
  eventText,
  json,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.test-support.ts'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'

function openai(options: LanguageModelOptions = {}, fetch?: typeof globalThis.fetch) {
  const provider = createOpenAI({ baseURL: server.url, apiKey: key, ...(fetch ? { fetch } : {}) })
  return languageModel(provider.chat('gpt-4.1-mini'), options)
}

function anthropic(options: LanguageModelOptions = {}) {
  const provider = createAnthropic({ baseURL: server.url, apiKey: 'test-key' })
  return languageModel(provider('claude-haiku-4-5'), options)
}

const request: ModelRequest = {
  system: 'Summarise.',
  messages: [{ role: 'user', content: 'Ada asked for $& and {messages}.' }],
  maxOutputTokens: 300,
  temperature: 0.2,
  schema: null,
}

const ask = (model: LanguageModel, given = request) =>
  model.generate(given, { signal: new AbortController().signal })

async function failureOf(model: LanguageModel, ...answers: readonly Answer[]) {
  server.script(...answers)
  const outcome = await ask(model)
  if (outcome.kind === 'answered') throw new Error(`answered: ${outcome.text}`)
  return outcome.failure
}

describe('a model of the AI SDK that answers', () => {
  it('sends the request without tools to OpenAI', async () => {
    server.script(chatAnswer('Ada asked.'))
    expect(await ask(openai())).toEqual({
      kind: 'answered',
      text: 'Ada asked.',
      finish: 'stop',
      usage: {
        inputTokens: 1_000,
        cachedInputTokens: 400,
        outputTokens: 50,
        reasoningTokens: expect.any(Number),
      },
      model: 'openai/gpt-4.1-mini-2025-04-14',
    })
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Summarise.' },
        { role: 'user', content: 'Ada asked for $& and {messages}.' },
      ],
      temperature: 0.2,
      max_tokens: 300,
      stream: true,
    })
    expect(server.asked[0]?.body).not.toHaveProperty('tools')
  })

  it('separates reasoning from text in an answer of Anthropic', async () => {
    const blocks = [
      { thinking: true, text: 'She wants a list.' },
      { thinking: false, text: 'Ada wants a list.' },
    ]
    server.script(events(...anthropicEvents(blocks, 'end_turn')))
    expect(await ask(anthropic())).toMatchObject({
      kind: 'answered',
      text: 'Ada wants a list.',
      finish: 'stop',
      usage: { inputTokens: 150, cachedInputTokens: 30, cacheWriteTokens: 20, outputTokens: 40 },
      model: 'anthropic/claude-haiku-4-5-20251001',
    })
  })

  it('has an empty text if a model only reasoned', async () => {
    server.script(events(...anthropicEvents([{ thinking: true, text: 'Hm.' }], 'end_turn')))
    expect(await ask(anthropic())).toMatchObject({ kind: 'answered', text: '', finish: 'stop' })
  })

  it('distinguishes cut-off and filtered answers from finished ones', async () => {
    server.script(chatAnswer('Ada', 'length'))
    expect(await ask(openai())).toMatchObject({ kind: 'answered', finish: 'length' })
    server.script(chatAnswer('Ada', 'content_filter'))
    expect(await ask(openai())).toMatchObject({ kind: 'answered', finish: 'filter' })
    server.script(events(...anthropicEvents([{ thinking: false, text: 'A' }], 'max_tokens')))
    expect(await ask(anthropic())).toMatchObject({ kind: 'answered', finish: 'length' })
  })

  it('passes a schema as the format of the response', async () => {
    const schema = {
      type: 'object',
      properties: { summary: { type: 'string' } },
      required: ['summary'],
      additionalProperties: false,
    }
    server.script(chatAnswer('{"summary":"A"}'))
    expect(await ask(openai(), { ...request, schema })).toMatchObject({ text: '{"summary":"A"}' })
    expect(server.asked[0]?.body['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { schema },
    })
  })

  it('answers as a whole if a model cannot stream', async () => {
    const message = { role: 'assistant', content: 'Ada asked.' }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    server.script(json(200, { ...chatUsage, choices }))
    expect(await ask(openai({ transfer: 'whole' }))).toMatchObject({
      kind: 'answered',
      text: 'Ada asked.',
      finish: 'stop',
      usage: { inputTokens: 1_000, outputTokens: 50 },
    })
    expect(server.asked[0]?.body['stream']).toBeUndefined()
  })
})

describe('a model of the AI SDK that fails', () => {
  const message = 'Slow down.'
  it.each([
    [
      '429',
      json(429, { error: { message, type: 'requests', code: 'rate_limit_exceeded' } }),
      'transport',
    ],
    ['429 without money', json(429, { error: { message, code: 'insufficient_quota' } }), 'refused'],
    ['500', json(500, { error: { message } }), 'transport'],
    ['503 with HTML', json(503, '<html>busy</html>'), 'transport'],
    ['400', json(400, { error: { message } }), 'refused'],
    ['401', json(401, { error: { message } }), 'refused'],
    ['an unparsable body', json(200, '{"choices":[{"mess', {}), 'transport'],
    ['a cut stream', events(chatDelta('Ada')), 'transport'],
    ['a stream cut inside an event', events(chatDelta('Ada'), '{"choices":[{"del'), 'transport'],
    [
      'an error in a stream',
      events(chatDelta('A'), { error: { message, type: 'server_error', code: null, param: null } }),
      'transport',
    ],
    ['another shape', events({ answer: 'Ada' }), 'invalid'],
    ['an empty body', (response) => response.writeHead(200).end(), 'transport'],
    ['a reset', (response) => response.destroy(), 'transport'],
    [
      'a reset in the middle',
      (response) => {
        beginEvents(response)
        response.write(eventText(chatDelta('A')), () => response.destroy())
      },
      'transport',
    ],
  ] satisfies readonly (readonly [string, Answer, ModelFailure['cause']])[])(
    'says what to do about %s',
    async (_, answer, cause) => {
      const failure = await failureOf(openai(), answer)
      expect(failure).toMatchObject({ cause })
      expect(failure.message).not.toBe('')
      expect(server.asked).toHaveLength(1)
    },
  )

  it('classifies an error event of Anthropic after a status of 200', async () => {
    const [start] = anthropicEvents([], 'end_turn')
    const busy = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    for (const answer of [events(start, busy), events(busy)])
      expect(await failureOf(anthropic(), answer)).toMatchObject({ cause: 'transport' })
    const broken = { type: 'error', error: { type: 'invalid_request_error', message: 'No.' } }
    expect(await failureOf(anthropic(), events(start, broken))).toMatchObject({ cause: 'refused' })
  })

  it('reports a request that is too long as refused, whatever the status', async () => {
    const error = { message: 'too long', code: 'context_length_exceeded' }
    expect(await failureOf(openai(), json(500, { error }))).toMatchObject({ cause: 'refused' })
  })

  it('reports the status and the time to wait, given in seconds, milliseconds or as a date', async () => {
    const busy = (headers: Readonly<Record<string, string>>) =>
      failureOf(openai(), json(429, { error: { message } }, headers))
    expect(await busy({ 'retry-after': '7' })).toEqual({
      cause: 'transport',
      status: 429,
      retryAfterMs: 7_000,
      message,
    })
    expect(await busy({ 'retry-after-ms': '150' })).toMatchObject({ retryAfterMs: 150 })
    const date = new Date(Date.now() + 20_000).toUTCString()
    const { retryAfterMs } = await busy({ 'retry-after': date })
    expect(retryAfterMs).toBeGreaterThan(15_000)
    expect(retryAfterMs).toBeLessThanOrEqual(20_000)
  })

  it('redacts a key that a provider quotes, in one short line', async () => {
    const quoted = `Incorrect API key provided: ${key}.\nAuthorization: Bearer house-key-12 ${'x '.repeat(300)}`
    const { message } = await failureOf(openai(), json(401, { error: { message: quoted } }))
    expect(message).toMatch(/^Incorrect API key provided: \[redacted/)
    expect(message).not.toMatch(/sk-proj|house-key|\n/)
    expect(message.length).toBeLessThanOrEqual(200)
  })

  it('times out a model that hangs or sends slowly, and closes its connection', async () => {
    const drip: Answer = (response) => {
      beginEvents(response)
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    }
    for (const answer of [() => undefined, drip]) {
      const started = performance.now()
      const failure = await failureOf(openai({ timeoutMs: 80 }), answer)
      expect(failure).toMatchObject({ cause: 'timeout', message: 'no answer within 80 ms' })
      expect(performance.now() - started).toBeLessThan(1_000)
      await expect.poll(server.closedEarly).toBe(1)
    }
  })

  it('ends at once when it is aborted, before or during the request', async () => {
    server.script(() => undefined)
    const outcome = await openai().generate(request, { signal: AbortSignal.abort() })
    expect(outcome).toMatchObject({ failure: { cause: 'aborted' } })
    expect(server.asked).toHaveLength(0)
    const controller = new AbortController()
    const asking = openai().generate(request, { signal: controller.signal })
    await expect.poll(() => server.asked.length).toBe(1)
    controller.abort()
    expect(await asking).toMatchObject({ failure: { cause: 'aborted' } })
  })

  it('does not wait for a model that ignores the signal', async () => {
    const deaf = { ...stub('v4'), doStream: () => new Promise<never>(() => undefined) }
    const outcome = await ask(languageModel(deaf, { timeoutMs: 20 }))
    expect(outcome).toMatchObject({ failure: { cause: 'timeout' } })
  })
})

describe('a model of the conversation', () => {
  const context = { system: [], tools: [], messages: [], files: new Map(), breakpoints: [] }
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }]
  const tools = [{ type: 'function', name: 'look', inputSchema: { type: 'object' } }]
  const continues = () => ({ prompt, tools, toolChoice: { type: 'auto' } })
  const continuation = { ...request, system: null, continues: context }

  it('is asked after the messages of the conversation, with its tools', async () => {
    server.script(chatAnswer('Ada asked.'))
    expect(await ask(openai({ continues }), continuation)).toMatchObject({ text: 'Ada asked.' })
    expect(server.asked[0]?.body).toMatchObject({
      messages: [{ content: 'Hello.' }, { content: 'Ada asked for $& and {messages}.' }],
      tools: [{ function: { name: 'look' } }],
      tool_choice: 'auto',
    })
  })

  it.each(['stream', 'whole'] as const)('fails if it calls a tool: %s', async (transfer) => {
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{}' }
    const finishReason = { unified: 'tool-calls', raw: 'tool_calls' }
    const parts = [
      { type: 'text-delta', id: '0', delta: 'I look.' },
      call,
      { type: 'finish', finishReason },
    ]
    const model = {
      ...stub('v4'),
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'I look.' }, call],
        finishReason,
      }),
      doStream: async () => ({ stream: ReadableStream.from(parts) as ReadableStream<object> }),
    }
    expect(await ask(languageModel(model, { continues, transfer }), continuation)).toMatchObject({
      failure: { cause: 'invalid', message: 'the answer calls a tool' },
    })
  })

  it('can continue only with the option `continues`, in the newest specification', async () => {
    const can = (model: LanguageModel) => model.canContinue?.(context) ?? false
    expect(can(openai())).toBe(false)
    expect(can(openai({ continues }))).toBe(true)
    expect(can(openai({ continues: () => null }))).toBe(false)
    const broken = () => {
      throw new Error('broken')
    }
    expect(can(openai({ continues: broken }))).toBe(false)
    expect(can(languageModel(stub('v3'), { continues }))).toBe(false)
    expect(await ask(openai(), continuation)).toMatchObject({ failure: { cause: 'invalid' } })
  })
})

describe('a model that writes too much', () => {
  /** As much as the client reads, up to 100 MB, in events of 64 kB. */
  let sent = 0
  const flood: Answer = (response) => {
    beginEvents(response)
    const event = eventText(chatDelta('x'.repeat(65_536)))
    const write = () => {
      while (!response.destroyed && sent < 100_000_000) {
        sent += event.length
        if (!response.write(event)) {
          response.once('drain', write)
          return
        }
      }
    }
    write()
  }

  it('is cut off while it writes', async () => {
    sent = 0
    const failure = await failureOf(openai(), flood)
    expect(failure).toMatchObject({
      cause: 'invalid',
      message: 'the answer is longer than 1000000 characters',
    })
    await expect.poll(server.closedEarly).toBe(1)
    expect(sent).toBeLessThan(20_000_000)
  })

  it('is cut off through its stream if it ignores the signal', async () => {
    let cancelled = false
    const stream = new ReadableStream<object>({
      pull: (controller) => controller.enqueue({ type: 'text-delta', delta: 'x'.repeat(1_000) }),
      cancel: () => {
        cancelled = true
      },
    })
    const endless = { ...stub('v4'), doStream: async () => ({ stream }) }
    const outcome = await ask(languageModel(endless, { maxAnswerCharacters: 5_000 }))
    expect(outcome).toMatchObject({ failure: { cause: 'invalid' } })
    expect(cancelled).toBe(true)
  })

  it('is cut off inside an event or an error if the provider uses a bounded fetch', async () => {
    const endless =
      (status: number): Answer =>
      (response) => {
        response.writeHead(status, {
          'content-type': status === 200 ? 'text/event-stream' : 'text/plain',
        })
        response.write('data: ')
        const text = 'x'.repeat(65_536)
        sent = 0
        const write = () => {
          while (!response.destroyed && sent < 100_000_000) {
            sent += text.length
            if (!response.write(text)) {
              response.once('drain', write)
              return
            }
          }
          response.end()
        }
        write()
      }
    for (const status of [200, 500]) {
      const model = openai({}, boundedFetch({ maxBytes: 1_000_000 }))
      expect(await failureOf(model, endless(status))).toMatchObject({ cause: 'invalid' })
      await expect.poll(server.closedEarly).toBe(1)
      expect(sent).toBeLessThan(20_000_000)
    }
  })
})

describe("a model of OpenAI's responses", () => {
  const response = { id: 'r1', created_at: 0, model: 'gpt-4.1-mini-2025-04-14' }
  const item = { type: 'message', id: 'i1' }
  const firstEvents = [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', item_id: 'i1', delta: 'Ada asked.' },
  ]
  const usage = { input_tokens: 10, output_tokens: 3 }
  const done = { type: 'response.completed', response: { ...response, usage } }
  const model = () =>
    languageModel(createOpenAI({ baseURL: server.url, apiKey: key }).responses('gpt-4.1-mini'))

  it('answers', async () => {
    server.script(events(...firstEvents, done))
    expect(await ask(model())).toMatchObject({
      kind: 'answered',
      text: 'Ada asked.',
      finish: 'stop',
      usage: { inputTokens: 10, outputTokens: 3 },
    })
  })

  it('distinguishes a cut-off answer, a broken stream and an error inside a stream', async () => {
    const incomplete_details = { reason: 'max_output_tokens' }
    const cut = { ...response, usage, incomplete_details }
    server.script(events(...firstEvents, { type: 'response.incomplete', response: cut }))
    expect(await ask(model())).toMatchObject({ kind: 'answered', finish: 'length' })
    expect(await failureOf(model(), events(...firstEvents))).toMatchObject({ cause: 'transport' })
    const busy = { code: 'server_error', message: 'Busy.' }
    const failing = {
      type: 'response.failed',
      sequence_number: 3,
      response: { ...response, error: busy, usage },
    }
    expect(await failureOf(model(), events(...firstEvents, failing))).toMatchObject({
      cause: 'transport',
      message: expect.stringContaining('Busy.'),
    })
  })
})

function stub(specificationVersion: string, finishReason: unknown = 'stop', usage: object = {}) {
  const parts = [
    { type: 'stream-start', warnings: [] },
    { type: 'reasoning-delta', id: '1', delta: 'Hm.' },
    { type: 'text-delta', id: '2', delta: 'Ada ' },
    { type: 'text-delta', id: '2', delta: 'asked.' },
    { type: 'finish', finishReason, usage },
  ]
  return {
    specificationVersion,
    provider: 'house.chat',
    modelId: 'small-1',
    doGenerate: () => Promise.reject(new Error('cannot')),
    doStream: async () => ({ stream: ReadableStream.from(parts) as ReadableStream<object> }),
  }
}

describe('the versions of the specification', () => {
  it('reads finish and usage of versions 2, 3 and 4', async () => {
    const flat = { inputTokens: 9, outputTokens: 3, totalTokens: 12, cachedInputTokens: 4 }
    const nested = {
      inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: undefined },
      outputTokens: { total: 3, text: 3, reasoning: undefined },
    }
    const answer = {
      kind: 'answered',
      text: 'Ada asked.',
      finish: 'stop',
      usage: { inputTokens: 9, cachedInputTokens: 4, outputTokens: 3 },
      model: 'house/small-1',
    }
    expect(await ask(languageModel(stub('v2', 'stop', flat)))).toEqual(answer)
    const unified = { unified: 'stop', raw: 'stop' }
    expect(await ask(languageModel(stub('v3', unified, nested)))).toEqual(answer)
    expect(await ask(languageModel(stub('v4', unified, nested)))).toEqual(answer)
  })

  it.each([['unknown'], [{ unified: 'other', raw: undefined }], [{ unified: 'error', raw: 'x' }]])(
    'takes no answer for whole that ends with %j',
    async (finish) => {
      expect(await ask(languageModel(stub('v3', finish)))).toMatchObject({
        failure: { cause: 'transport' },
      })
    },
  )

  it('accepts every model that the SDK accepts', () => {
    // That it compiles is the test.
    const take = (model: AnySdkModel) => languageModel(model)
    expect(take('house/small-1').id).toBe('house/small-1')
  })

  it('refuses other versions, empty names and options that do not exist', () => {
    expect(() => languageModel(stub('v1'))).toThrow(/v2, v3 or v4/)
    expect(() => languageModel(' ')).toThrow(/empty/)
    expect(() => languageModel('a/b', { timeout: 1 } as LanguageModelOptions)).toThrow(/"timeout"/)
    expect(() => languageModel('a/b', { timeoutMs: 2 ** 31 })).toThrow(/timeoutMs/)
  })

  it('finds windows in the catalogue, and accepts a card from the caller', () => {
    expect(openai()).toMatchObject({ id: 'openai/gpt-4.1-mini', card: { id: 'gpt-4.1-mini' } })
    expect(languageModel(stub('v4'))).toMatchObject({ id: 'house/small-1', card: null })
    const card = { id: 'small-1', contextWindowTokens: 4_096 }
    expect(languageModel(stub('v4'), { card }).card).toEqual(card)
  })
})

describe('a model by its name', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'AI_SDK_DEFAULT_PROVIDER')
  })

  it('is resolved by the given provider, else by the global one', async () => {
    const names: string[] = []
    const provider = {
      languageModel: (name: string) => {
        names.push(name)
        return stub('v4')
      },
    }
    const answer = { text: 'Ada asked.', model: 'house/large' }
    expect(await ask(languageModel('house/large', { provider }))).toMatchObject(answer)
    Reflect.set(globalThis, 'AI_SDK_DEFAULT_PROVIDER', provider)
    expect(await ask(languageModel('house/large'))).toMatchObject(answer)
    expect(names).toEqual(['house/large', 'house/large'])
  })

  it('is a failure value, not an exception, if no model has the name', async () => {
    const provider = {
      languageModel: (): never => {
        throw Object.assign(new Error('No such model'), { name: 'AI_NoSuchModelError' })
      },
    }
    expect(await ask(languageModel('house/none', { provider }))).toMatchObject({
      failure: { cause: 'refused', message: 'No such model' },
    })
  })
})
