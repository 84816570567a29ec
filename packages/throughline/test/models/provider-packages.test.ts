/**
 * The official packages of OpenAI and Anthropic with the adapters: no line here has a cast, so `tsc` proves
 * that requests, responses and usage fit the packages' own types. The server is a loopback one.
 */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { createThroughline } from 'throughline'
import { anthropicMessages, openaiChat, openaiResponses } from 'throughline/adapters'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { json, startScriptedServer } from '../../src/models/scripted-server.test-support.ts'

const server = await startScriptedServer()
afterAll(() => server.close())

const openai = new OpenAI({ apiKey: 'none', baseURL: server.url, maxRetries: 0 })
const anthropic = new Anthropic({
  apiKey: 'none',
  baseURL: server.url.replace(/\/v1$/, ''),
  maxRetries: 0,
})

const tl = createThroughline()
afterAll(() => tl.close())

const tools = [
  { name: 'weather', description: 'Weather of a city', parameters: { type: 'object' } },
] as const
const question = { role: 'user', content: 'How is the weather in Oslo?' } as const
const system = 'You are brief.'

describe('the openai package: chat completions', () => {
  const chat = tl.conversation('openai-chat')
  const model = 'gpt-5-mini'

  beforeAll(() => {
    const message = {
      role: 'assistant',
      content: null,
      refusal: null,
      annotations: [],
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      ],
    }
    const usage = { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 }
    server.script(
      json(200, {
        ...{ id: 'x', object: 'chat.completion', created: 1, model, usage },
        choices: [{ index: 0, message, finish_reason: 'tool_calls', logprobs: null }],
      }),
    )
  })

  it('sends a context, and appends the reply with its usage', async () => {
    await chat.append(question)
    const context = await chat.context({ model, system, tools })
    const response = await openai.chat.completions.create({ model, ...openaiChat.write(context) })
    const { messages } = openaiChat.read({ messages: response.choices.map((it) => it.message) })
    const { usage } = await chat.append(messages, {
      usage: response.usage,
      of: context.fingerprint,
    })
    expect(usage).toBe('taken')
    expect(server.asked[0]?.body).toMatchObject({
      messages: [{ role: 'system', content: system }, question],
      tools: [{ type: 'function', function: { name: 'weather' } }],
    })
    await chat.append({
      role: 'tool',
      content: [{ type: 'tool-result', callId: 'c1', output: '4 °C' }],
    })
    const next = openaiChat.write(await chat.context({ model, system, tools }))
    expect(next.messages.slice(2)).toMatchObject([
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1' }] },
      { role: 'tool', tool_call_id: 'c1', content: '4 °C' },
    ])
  })

  it('reads a request of the package', () => {
    const request: OpenAI.ChatCompletionCreateParams = {
      model,
      messages: [{ role: 'developer', content: system }, question],
      tools: [{ type: 'function', function: { name: 'weather', strict: true } }],
    }
    const reading = openaiChat.read(request)
    expect(reading).toMatchObject({ system: [{ text: system }], tools: [{ name: 'weather' }] })
  })
})

describe('the openai package: responses', () => {
  const chat = tl.conversation('openai-responses')
  const model = 'gpt-5'

  beforeAll(() => {
    const details = {
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 8 },
    }
    server.script(
      json(200, {
        ...{ id: 'resp_1', object: 'response', created_at: 1, model, status: 'completed' },
        output: [
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' },
          {
            ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text: 'Rain.', annotations: [], logprobs: [] }],
          },
        ],
        usage: { input_tokens: 40, output_tokens: 9, total_tokens: 49, ...details },
      }),
    )
  })

  it('sends a context, and appends the output with its usage', async () => {
    await chat.append(question)
    const context = await chat.context({ model, system, tools })
    const body = { model, store: false, ...openaiResponses.write(context) }
    const response = await openai.responses.create(body)
    const { messages } = openaiResponses.read({ input: response.output })
    const report = { usage: response.usage, of: context.fingerprint }
    expect(await chat.append(messages, report)).toMatchObject({ usage: 'taken' })
    expect(server.asked[0]?.body).toMatchObject({ instructions: system, input: [question] })
    const { input } = openaiResponses.write(await chat.context({ model, system, tools }))
    expect(input.slice(0, 3)).toMatchObject([
      question,
      { id: 'rs_1' },
      { id: 'msg_1', role: 'assistant' },
    ])
  })

  it('reads a request of the package', () => {
    const request: OpenAI.Responses.ResponseCreateParams = { model, input: [question] }
    expect(openaiResponses.read(request).messages).toMatchObject([{ role: 'user' }])
  })
})

describe('the anthropic package', () => {
  const chat = tl.conversation('anthropic-messages')
  const model = 'claude-sonnet-5-5'

  beforeAll(() => {
    server.script(
      json(200, {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model },
        content: [
          { type: 'thinking', thinking: 'A call.', signature: 'sealed' },
          { type: 'text', text: 'I look it up.', citations: null },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
        ],
        ...{ stop_reason: 'tool_use', stop_sequence: null },
        usage: { input_tokens: 40, output_tokens: 9, cache_read_input_tokens: 360 },
      }),
    )
  })

  it('sends a context, and appends the reply with its usage', async () => {
    await chat.append(question)
    const context = await chat.context({ model, system, tools })
    const body = { model, max_tokens: 1024, ...anthropicMessages.write(context) }
    const response = await anthropic.messages.create(body)
    const { role, content } = response
    const { messages } = anthropicMessages.read({ messages: [{ role, content }] })
    const report = { usage: response.usage, of: context.fingerprint }
    expect(await chat.append(messages, report)).toMatchObject({ usage: 'taken' })
    expect(server.asked[0]?.body).toMatchObject({
      system: [{ type: 'text', text: system }],
      messages: [{ role: 'user' }],
      tools: [{ name: 'weather', input_schema: { type: 'object' } }],
    })
    await chat.append({
      role: 'tool',
      content: [{ type: 'tool-result', callId: 'toolu_1', output: '4 °C' }],
    })
    const next = anthropicMessages.write(await chat.context({ model, system, tools }))
    expect(next.messages.slice(1)).toMatchObject([
      { role, content: [{ type: 'thinking' }, { type: 'text' }, { type: 'tool_use' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
    ])
  })

  it('reads a request of the package', () => {
    const request: Anthropic.MessageCreateParams = {
      ...{ model, max_tokens: 1024, system },
      messages: [question],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    }
    const { messages } = anthropicMessages.read(request)
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: question.content }] },
    ])
  })
})
