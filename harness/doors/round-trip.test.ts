/** The engine sends exactly what the SDK would have sent without it, as long as it fits. */
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  streamText,
  wrapLanguageModel,
} from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'
import { throughlineMiddleware, throughlineStep } from 'throughline/ai-sdk'
import { describe, expect, it } from 'vitest'
import { drawLog, engineOn } from './door-fixture.test-support.ts'

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

const usage: Generated['usage'] = {
  inputTokens: { total: 900, noCache: 900, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 9, text: 9, reasoning: 0 },
}

const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

const replies: readonly Generated['content'][] = [
  [
    {
      type: 'reasoning',
      text: 'Look first.',
      providerMetadata: { anthropic: { signature: 'c2lnbmF0dXJl' } },
    },
    {
      type: 'reasoning',
      text: '',
      providerMetadata: { anthropic: { redactedData: 'cmVkYWN0ZWQ' } },
    },
    { type: 'text', text: 'I look.', providerMetadata: { openai: { itemId: 'msg_1' } } },
    { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.test' },
    {
      type: 'custom',
      kind: 'openai.compaction',
      providerMetadata: {
        openai: { type: 'compaction', itemId: 'cmp_1', encryptedContent: 'zzz' },
      },
    },
    {
      type: 'tool-call',
      toolCallId: 'srv_1',
      toolName: 'web_search',
      input: '{"query":"ledger"}',
      providerExecuted: true,
      dynamic: true,
    },
    {
      type: 'tool-result',
      toolCallId: 'srv_1',
      toolName: 'web_search',
      result: { hits: [1, 2] },
      dynamic: true,
      providerMetadata: { anthropic: { caller: 'direct' } },
    },
    {
      type: 'tool-call',
      toolCallId: 'call_1',
      toolName: 'look',
      input: '{ "at": 1.0, "id": 12345678901234567890 }',
      providerMetadata: { google: { thoughtSignature: 'dGhvdWdodA==' } },
    },
    { type: 'tool-call', toolCallId: 'call_2', toolName: 'look', input: '' },
    { type: 'tool-call', toolCallId: 'call_3', toolName: 'look', input: '{"at": broken' },
  ],
  [
    { type: 'text', text: '' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: picture } },
    { type: 'tool-call', toolCallId: 'call_4', toolName: 'paint', input: '{}' },
  ],
  [{ type: 'text', text: 'Done.' }],
]

const messages: ModelMessage[] = [
  { role: 'user', content: 'Earlier.' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Said.' },
      { type: 'text', text: '' },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look at these.', providerOptions: { custom: { keep: true } } },
      { type: 'file', data: picture, mediaType: 'image/png', filename: 'a.png' },
      { type: 'file', data: new URL('https://example.test/b.pdf'), mediaType: 'application/pdf' },
      {
        type: 'file',
        data: { type: 'reference', reference: { openai: 'file-1' } },
        mediaType: 'text/plain',
      },
    ],
    providerOptions: { custom: { of: 'message' } },
  },
]

const tools = {
  look: {
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute: async () => ({ seen: [1, { two: null }] }),
  },
  paint: {
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute: async () => 'painted',
    toModelOutput: () => ({
      type: 'content' as const,
      value: [
        { type: 'text' as const, text: 'Painted:' },
        {
          type: 'file' as const,
          data: { type: 'data' as const, data: 'AQID' },
          mediaType: 'image/png',
        },
      ],
    }),
  },
}

function scripted(answers = replies): MockLanguageModelV4 {
  const left = [...answers]
  return new MockLanguageModelV4({
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: async () => ({
      content: left.shift() ?? [],
      finishReason: { unified: left.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
      usage,
      warnings: [],
    }),
  })
}

const settings = {
  instructions: 'Be exact.',
  messages,
  tools,
  stopWhen: isStepCount(3),
  maxRetries: 0,
}

async function plainPrompts(): Promise<unknown> {
  const mock = scripted()
  await generateText({ ...settings, model: mock })
  return promptsOf(mock)
}

/** Without undefined values, Anthropic's cache hints and the stamps. */
function promptsOf({ doGenerateCalls }: MockLanguageModelV4): unknown {
  return doGenerateCalls.map(({ prompt }) => cleaned(prompt))
}

/** The SDK drops arguments that are not JSON; we send what the model wrote. */
const broken = { INVALID_JSON: '{"at": broken' }

function cleaned(value: unknown): unknown {
  if (JSON.stringify(value) === JSON.stringify(broken)) return {}
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof URL) return value.href
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const isOurs = key === 'cacheControl' || key === 'throughline'
    const clean = isOurs || inner === undefined ? undefined : cleaned(inner)
    const empty = typeof clean === 'object' && clean !== null && Object.keys(clean).length === 0
    const dropped =
      clean === undefined || (empty && (key === 'providerOptions' || key === 'anthropic'))
    return dropped ? [] : [[key, clean] as const]
  })
  return Object.fromEntries(kept)
}

describe('signed reasoning, tools of the provider, files and custom parts', () => {
  it('pass through the middleware unchanged', async () => {
    const engine = engineOn()
    const mock = scripted()
    const middleware = throughlineMiddleware({ engine, conversation: 'a', model: 'gpt-5-mini' })
    const model = wrapLanguageModel({ model: mock, middleware })
    const { providerMetadata } = await generateText({ ...settings, model })
    expect(promptsOf(mock)).toEqual(await plainPrompts())
    expect(providerMetadata?.['throughline']).toMatchObject({ conversation: 'a', epoch: 1 })
    expect((await engine.list()).map(({ id }) => id)).toEqual(['a'])
  })

  it('pass through `prepareStep` unchanged', async () => {
    const engine = engineOn()
    const mock = scripted()
    const prepareStep = throughlineStep({ engine, conversation: 'a', model: 'gpt-5-mini' })
    await generateText({ ...settings, model: mock, prepareStep })
    expect(promptsOf(mock)).toEqual(await plainPrompts())
    expect((await engine.list()).map(({ id }) => id)).toEqual(['a'])
  })

  it('keep the arguments of a call character for character', async () => {
    const engine = engineOn()
    const middleware = throughlineMiddleware({ engine, conversation: 'a', model: 'gpt-5-mini' })
    await generateText({ ...settings, model: wrapLanguageModel({ model: scripted(), middleware }) })
    const log = await Array.fromAsync(engine.conversation('a').messages())
    const inputs = log.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : [])),
    )
    expect(inputs).toEqual([
      '{"query":"ledger"}',
      '{ "at": 1.0, "id": 12345678901234567890 }',
      '',
      '{"at": broken',
      '{}',
    ])
  })
})

describe('an approval of a tool that the provider runs', () => {
  const asks: readonly Generated['content'][] = [
    [
      {
        type: 'tool-call',
        toolCallId: 'mcp_1',
        toolName: 'mcp.run',
        input: '{}',
        providerExecuted: true,
        dynamic: true,
      },
      { type: 'tool-approval-request', approvalId: 'ap_1', toolCallId: 'mcp_1' },
    ],
    [{ type: 'text', text: 'Done.' }],
  ]
  const approval: ModelMessage = {
    role: 'tool',
    content: [
      {
        type: 'tool-approval-response',
        approvalId: 'ap_1',
        approved: true,
        providerExecuted: true,
      },
    ],
  }

  it.each(['middleware', 'step'])('reaches it through the %s', async (way) => {
    const prompts = await Promise.all(
      [false, true].map(async (kept) => {
        const engine = engineOn()
        const mock = scripted(asks)
        const options = { engine, conversation: 'a', model: 'gpt-5-mini' }
        const middleware = throughlineMiddleware(options)
        const model =
          kept && way === 'middleware' ? wrapLanguageModel({ model: mock, middleware }) : mock
        const prepareStep = throughlineStep(options)
        const more = kept && way === 'step' ? { prepareStep } : {}
        const first: ModelMessage[] = [{ role: 'user', content: 'Run it.' }]
        const { responseMessages } = await generateText({ model, messages: first, ...more })
        const next = [...first, ...responseMessages, approval]
        await generateText({ model, messages: next, ...more })
        return promptsOf(mock)
      }),
    )
    expect(prompts[1]).toEqual(prompts[0])
  })
})

describe('the conversation of a call', () => {
  it('is the one that the call names', async () => {
    const engine = engineOn()
    const middleware = throughlineMiddleware({ engine, model: 'gpt-5-mini' })
    const model = wrapLanguageModel({ model: scripted(), middleware })
    const providerOptions = { throughline: { conversation: 'named' } }
    await generateText({ model, prompt: 'Hello', providerOptions, maxRetries: 0 })
    expect((await engine.list()).map(({ id }) => id)).toEqual(['named'])
    await expect(generateText({ model, prompt: 'Hello', maxRetries: 0 })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })

  it('can come from the context of a run', async () => {
    const engine = engineOn()
    const prepareStep = throughlineStep({
      engine,
      model: 'gpt-5-mini',
      conversation: ({ runtimeContext }) => (runtimeContext as { readonly chatId: string }).chatId,
    })
    const runtimeContext = { chatId: 'of the run' }
    await generateText({ model: scripted(), prompt: 'Hello', prepareStep, runtimeContext })
    expect((await engine.list()).map(({ id }) => id)).toEqual(['of the run'])
  })

  it('is refused if the options make no sense', () => {
    const engine = engineOn()
    const odd = (more: object) => () => throughlineMiddleware({ engine, ...more })
    expect(odd({ history: 'all' })).toThrow(/"whole" or "recent"/)
    expect(odd({ changed: 'merge' })).toThrow(/"fork" or "refuse"/)
    expect(odd({ conversations: 'a' })).toThrow(/no option "conversations"/)
    expect(odd({ engine: {} })).toThrow(/createThroughline/)
  })
})

const oldUsage = { inputTokens: 90, outputTokens: 9, totalTokens: 99 }

/** The result format of AI SDK 5 providers. */
const version2 = {
  specificationVersion: 'v2' as const,
  provider: 'old.chat',
  modelId: 'gpt-5-mini',
  supportedUrls: {},
  doGenerate: async () => ({
    content: [{ type: 'text' as const, text: 'Old.' }],
    finishReason: 'stop' as const,
    usage: oldUsage,
    warnings: [],
  }),
  doStream: async () => ({
    stream: convertArrayToReadableStream([
      { type: 'stream-start' as const, warnings: [] },
      { type: 'text-start' as const, id: '1' },
      { type: 'text-delta' as const, id: '1', delta: 'Old.' },
      { type: 'text-end' as const, id: '1' },
      { type: 'finish' as const, finishReason: 'stop' as const, usage: oldUsage },
    ]),
  }),
}

const version3 = new MockLanguageModelV3({
  provider: 'old.chat',
  modelId: 'gpt-5-mini',
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'Old.' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage,
    warnings: [],
  }),
  doStream: async () => ({
    stream: convertArrayToReadableStream([
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Old.' },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage },
    ]),
  }),
})

describe.each([
  ['v2', version2],
  ['v3', version3],
] as const)('a model of specification %s', (_, old) => {
  const picture64 = { type: 'file' as const, data: picture, mediaType: 'image/png' }
  const prompt: ModelMessage[] = [
    { role: 'user', content: [{ type: 'text', text: 'Hello.' }, picture64] },
  ]

  it('is kept by the middleware, also in a stream', async () => {
    const engine = engineOn()
    const middleware = throughlineMiddleware({ engine, conversation: 'a' })
    // The SDK's types no longer accept version 2; its code does.
    const model = wrapLanguageModel({ model: old as typeof version3, middleware })
    const { responseMessages } = await generateText({ model, messages: prompt })
    const more = [...prompt, ...responseMessages, { role: 'user', content: 'On.' } as const]
    expect(await streamText({ model, messages: more }).text).toBe('Old.')
    expect(await drawLog(engine, 'a')).toEqual([
      'user: Hello. | file',
      'assistant: Old.',
      'user: On.',
      'assistant: Old.',
    ])
  })

  it('is kept by a step', async () => {
    const engine = engineOn()
    const prepareStep = throughlineStep({ engine, conversation: 'a' })
    const model = old as typeof version3
    await generateText({ model, messages: prompt, prepareStep })
    expect(await drawLog(engine, 'a')).toEqual(['user: Hello. | file', 'assistant: Old.'])
  })
})
