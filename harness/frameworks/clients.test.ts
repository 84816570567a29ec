/** Official clients that are wrapped: what is sent, what is recorded, and what happens when something fails. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { createThroughline, type Throughline } from 'throughline'
import { withThroughline } from 'throughline/clients'
import { afterEach, describe, expect, it } from 'vitest'
import { drawLog } from '../doors/door-fixture.test-support.ts'
import { createFaultServer, type FaultServer, type FaultServerOptions } from '../fault-server.ts'
import { runDoor } from './run-door.ts'
import { modelName, windowTokens } from './script.ts'

let server: FaultServer
afterEach(() => server?.close())

interface Fixture {
  readonly engine: Throughline
  readonly openai: OpenAI
  readonly anthropic: Anthropic
}

async function start(
  answers: FaultServerOptions['answers'],
  more: Partial<Parameters<typeof withThroughline>[1]> & Pick<FaultServerOptions, 'faults'> = {},
): Promise<Fixture> {
  const { faults, ...others } = more
  server = await createFaultServer({ answers, ...(faults === undefined ? {} : { faults }) })
  const engine = createThroughline({
    models: [{ id: modelName, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
  })
  const options = { engine, conversation: 'a', ...others }
  const settings = { apiKey: 'test-key', maxRetries: 1 }
  const anthropicUrl = server.url.replace(/\/v1$/, '')
  return {
    engine,
    openai: withThroughline(new OpenAI({ ...settings, baseURL: server.url }), options),
    anthropic: withThroughline(new Anthropic({ ...settings, baseURL: anthropicUrl }), options),
  }
}

const user = (content: string) => ({ role: 'user' as const, content })
const body = (...messages: OpenAI.Chat.ChatCompletionMessageParam[]) => ({
  model: modelName,
  messages,
})

const tooLong = {
  message:
    "This model's maximum context length is 6000 tokens. However, your messages resulted in 9000 tokens.",
  type: 'invalid_request_error',
  param: 'messages',
  code: 'context_length_exceeded',
}

// `npm run test:frameworks` plays the others.
it.each(['openai-chat-stream', 'openai-responses', 'anthropic-stream'])(
  '%s plays turns with parallel calls',
  async (name) => {
    const report = await runDoor(name, 16)
    expect(report).toMatchObject({ findings: [], refused: 0, requests: 32 })
  },
)

describe('a wrapped client', () => {
  it('records a reply when it is read, and names the conversation in a header', async () => {
    const { engine, openai } = await start('Fine.')
    const sent = openai.chat.completions.create(body(user('How is it?')))
    const { data, response } = await sent.withResponse()
    expect(data.choices[0]?.message.content).toBe('Fine.')
    expect(response.headers.get('x-throughline-conversation')).toBe('a')
    expect(Number(response.headers.get('x-throughline-tokens'))).toBeGreaterThan(0)
    expect(response.url).toBe(`${server.url}/chat/completions`)
    expect(await drawLog(engine, 'a')).toEqual(['user: How is it?', 'assistant: Fine.'])
    expect((await engine.conversation('a').status()).last?.tokens).toBeGreaterThan(0)
  })

  it('sends settings and tools as they were given', async () => {
    const { openai } = await start('Fine.')
    const tools = [
      {
        type: 'function' as const,
        function: { parameters: { type: 'object', properties: {} }, name: 'f' },
      },
    ]
    await openai.chat.completions.create({
      ...body(user('Hello.')),
      tools,
      temperature: 0,
      seed: 7,
    })
    const [request] = server.requests
    expect(JSON.stringify(request?.body)).toContain(JSON.stringify(tools))
    expect(request?.body).toMatchObject({ temperature: 0, seed: 7, messages: [user('Hello.')] })
  })

  it('does not send the schema of the reply as a tool', async () => {
    const { openai } = await start('{"ok":true}')
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    }
    const json_schema = { name: 'verdict', schema, strict: true }
    const format = { type: 'json_schema' as const, json_schema }
    const parsed = await openai.chat.completions.parse({
      ...body(user('Is it?')),
      response_format: format,
    })
    expect(parsed.choices[0]?.message.parsed).toEqual({ ok: true })
    expect(server.requests[0]?.body).not.toHaveProperty('tools')
  })

  it('needs only new messages with recent', async () => {
    const { engine, openai } = await start(['One.', 'Two.'], { history: 'recent' })
    await openai.chat.completions.create(body(user('First?')))
    await openai.chat.completions.create(body(user('Second?')))
    expect(server.requests[1]?.body).toMatchObject({
      messages: [user('First?'), { role: 'assistant', content: 'One.' }, user('Second?')],
    })
    expect(await drawLog(engine, 'a')).toHaveLength(4)
  })

  it('continues in a fork where the history was changed', async () => {
    const { engine, openai } = await start('Fine.')
    await openai.chat.completions.create(body(user('First?')))
    const { response } = await openai.chat.completions
      .create(body(user('Another first?')))
      .withResponse()
    expect(response.headers.get('x-throughline-conversation')).toBe('a~2')
    expect(await drawLog(engine, 'a~2')).toEqual(['user: Another first?', 'assistant: Fine.'])
    expect(await drawLog(engine, 'a')).toEqual(['user: First?', 'assistant: Fine.'])
  })

  it('fails with our own error, without a request and without a retry', async () => {
    const { openai } = await start('Fine.', { changed: 'refuse' })
    await openai.chat.completions.create(body(user('First?')))
    await expect(openai.chat.completions.create(body(user('Other?')))).rejects.toMatchObject({
      code: 'HISTORY_CHANGED',
    })
    expect(server.requests).toHaveLength(1)
    await expect(
      openai.responses.create({ model: modelName, input: 'On.', previous_response_id: 'resp_1' }),
    ).rejects.toThrow(/previous_response_id/)
  })

  it('asks the provider again as the client does, and appends once', async () => {
    const { engine, openai } = await start('Fine.', { faults: ['overloaded', null] })
    await openai.chat.completions.create(body(user('First?')))
    expect(server.requests.map(({ status }) => status)).toEqual([503, 200])
    expect(await drawLog(engine, 'a')).toEqual(['user: First?', 'assistant: Fine.'])
  })

  it('sends a smaller request after one that was refused as too long', async () => {
    const { engine } = await start('Fine.')
    const sizes: number[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      sizes.push(`${init?.body}`.length)
      return sizes.length === 1
        ? Response.json({ error: tooLong }, { status: 400 })
        : globalThis.fetch(input, init)
    }
    const openai = withThroughline(new OpenAI({ baseURL: server.url, apiKey: 'test-key', fetch }), {
      engine,
      conversation: 'a',
      history: 'recent',
    })
    for (let turn = 0; turn < 40; turn += 1)
      await engine
        .conversation('a')
        .append([
          user(`Question ${turn}: ${'word '.repeat(100)}`),
          { role: 'assistant', content: `Answer ${turn}.` },
        ])
    const answer = await openai.chat.completions.create(body(user('And now?')))
    expect(answer.choices[0]?.message.content).toBe('Fine.')
    expect(sizes).toHaveLength(2)
    expect(sizes[1]).toBeLessThan(sizes[0] ?? 0)
    expect((await drawLog(engine, 'a')).slice(-2)).toEqual(['user: And now?', 'assistant: Fine.'])
  })

  it('keeps what arrived of a stream that was left or cut', async () => {
    const { engine, openai, anthropic } = await start('One two three four five six.', {
      conversation: ({ body: { messages } }) => `${JSON.stringify(messages).length % 2}`,
      faults: [null, 'truncated-stream'],
    })
    const stream = await openai.chat.completions.create({ ...body(user('Count')), stream: true })
    let seen = ''
    for await (const chunk of stream) {
      seen += chunk.choices[0]?.delta.content ?? ''
      if (seen === 'One two ') break
    }
    const left = `${JSON.stringify([user('Count')]).length % 2}`
    await expect
      .poll(async () => (await drawLog(engine, left)).at(-1))
      .toMatch(/^assistant \(cut\): One two/)
    const cut = anthropic.messages.stream({
      model: modelName,
      max_tokens: 100,
      messages: [user('Count.')],
    })
    await cut.finalMessage().catch(() => undefined)
    const other = `${JSON.stringify([user('Count.')]).length % 2}`
    expect(other).not.toBe(left)
    await expect
      .poll(async () => (await drawLog(engine, other)).at(-1))
      .toMatch(/^assistant \(cut\): One/)
  })

  it('keeps one of several choices only when the next prompt shows which', async () => {
    const { engine, openai } = await start('Fine.')
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init)
      const whole = (await response.json()) as { choices: object[] }
      const second = { index: 1, message: { role: 'assistant', content: 'Good.' } }
      return Response.json({ ...whole, choices: [...whole.choices, second] })
    }
    const client = withThroughline(new OpenAI({ baseURL: server.url, apiKey: 'test-key', fetch }), {
      engine,
      conversation: 'b',
    })
    await client.chat.completions.create({ ...body(user('How is it?')), n: 2 })
    expect(await drawLog(engine, 'b')).toEqual(['user: How is it?'])
    const taken = { role: 'assistant' as const, content: 'Good.' }
    await openai.chat.completions.create(body(user('x')))
    await client.chat.completions.create({ ...body(user('How is it?'), taken, user('On.')), n: 2 })
    expect(await drawLog(engine, 'b')).toEqual([
      'user: How is it?',
      'assistant: Good.',
      'user: On.',
    ])
  })

  it('stays wrapped with other options, and leaves other requests alone', async () => {
    const { engine, openai } = await start('Fine.')
    await openai.withOptions({ maxRetries: 0 }).chat.completions.create(body(user('Hello.')))
    expect(await drawLog(engine, 'a')).toHaveLength(2)
    await expect(openai.models.list()).rejects.toThrow(/404/)
    expect(await drawLog(engine, 'a')).toHaveLength(2)
  })

  it('covers the beta of the messages API', async () => {
    const { engine, anthropic } = await start('Fine.')
    const answer = await anthropic.beta.messages.create({
      model: modelName,
      max_tokens: 100,
      messages: [user('Hello.')],
    })
    expect(answer.content).toMatchObject([{ type: 'text', text: 'Fine.' }])
    expect(await drawLog(engine, 'a')).toEqual(['user: Hello.', 'assistant: Fine.'])
  })

  it('refuses what is no client, and options that it does not know', async () => {
    const engine = createThroughline()
    const wrap = (client: unknown, options: object) => () =>
      withThroughline(client as OpenAI, { engine, ...options })
    const client = new OpenAI({ apiKey: 'x' })
    expect(wrap({}, {})).toThrow(/new OpenAI\(\)/)
    expect(wrap(undefined, {})).toThrow(/new OpenAI\(\)/)
    expect(wrap(client, { chat: 'a' })).toThrow(/no option "chat"/)
    const unnamed = withThroughline(client, { engine })
    await expect(unnamed.chat.completions.create(body(user('x')))).rejects.toThrow(
      /no conversation for this call/,
    )
  })
})
