/** Streams that end early, and providers that refuse a request as too long. */
import { type ModelMessage, streamText, wrapLanguageModel } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { throughlineMiddleware } from 'throughline/ai-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { agentScript, run, task, tie, type Way } from './agent.ts'
import { drawLog, engineOn } from './door-fixture.test-support.ts'
import { type ModelServer, type ScriptedReply, startModelServer } from './model-server.ts'

const ways: readonly Way[] = ['middleware', 'prepareStep']
const user = (content: string): ModelMessage => ({ role: 'user', content })
const settings = { maxRetries: 0, onError: () => undefined }

let server: ModelServer
afterEach(() => server.close())

async function serve(
  script: (turn: number) => ScriptedReply,
  windowTokens = 16_384,
): Promise<ModelServer> {
  server = await startModelServer({ windowTokens, script })
  return server
}

type ModelStream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream']
type ModelStreamPart = ModelStream extends ReadableStream<infer Part> ? Part : never

const words = 'One two three four five six.'

describe.each(ways)('through %s, a stream', (way) => {
  const ask = (
    tied: ReturnType<typeof tie>,
    messages: ModelMessage[],
    abortSignal = new AbortController().signal,
  ) =>
    streamText({
      ...settings,
      model: tied.model,
      messages,
      abortSignal,
      ...(tied.prepareStep === undefined ? {} : { prepareStep: tied.prepareStep }),
    })

  it('that the client aborts is kept up to that point', async () => {
    await serve((turn) =>
      turn === 0 ? { text: words, cutAfterEvents: 4, hangs: true } : { text: 'Ok.' },
    )
    const engine = engineOn()
    const tied = tie(way, engine, server, { conversation: 'a' })
    const abort = new AbortController()
    const { textStream } = ask(tied, [user('Count.')], abort.signal)
    let seen = ''
    for await (const text of textStream) {
      seen += text
      if (seen === 'One two three ') abort.abort()
    }
    await expect
      .poll(() => drawLog(engine, 'a'))
      .toEqual(['user: Count.', 'assistant (cut): One two three '])
    // The client may have kept nothing of it, or everything it received.
    await ask(tied, [user('Count.'), user('Again.')]).text
    expect(await drawLog(engine, 'a')).toEqual([
      'user: Count.',
      'assistant (cut): One two three ',
      'user: Again.',
      'assistant: Ok.',
    ])
    const kept = [
      user('Count.'),
      { role: 'assistant', content: 'One two ' } as const,
      user('Again.'),
    ]
    await ask(tied, [...kept, { role: 'assistant', content: 'Ok.' }, user('On.')]).text
    expect(await drawLog(engine, 'a')).toHaveLength(6)
  })

  it('that the provider cuts is kept up to that point', async () => {
    await serve(() => ({ text: words, cutAfterEvents: 4 }))
    const engine = engineOn()
    const { textStream } = ask(tie(way, engine, server, { conversation: 'a' }), [user('Count.')])
    await Array.fromAsync(textStream).catch(() => undefined)
    await expect
      .poll(() => drawLog(engine, 'a'))
      .toEqual(['user: Count.', 'assistant (cut): One two three '])
  })
})

describe('a stream of a wrapped model', () => {
  it('whose reader stops is kept up to that point', async () => {
    await serve(() => ({ text: words, cutAfterEvents: 4, hangs: true }))
    const engine = engineOn()
    const { model } = tie('middleware', engine, server, { conversation: 'a' })
    if (typeof model === 'string' || model.specificationVersion !== 'v4')
      throw new Error('no model')
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Count.' }] }],
    })
    const reader = stream.getReader()
    for (let seen = ''; !seen.endsWith('three '); ) {
      const { value } = await reader.read()
      if (value?.type === 'text-delta') seen += value.delta
    }
    await reader.cancel()
    expect(await drawLog(engine, 'a')).toEqual(['user: Count.', 'assistant (cut): One two three '])
  })
})

const refusal: ScriptedReply = {
  status: 400,
  error: {
    message:
      "This model's maximum context length is 6000 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
}

describe.each(ways)('through %s, a request that is refused as too long', (way) => {
  it.each([false, true])('is sent once more, smaller (streamed: %s)', async (stream) => {
    const script = agentScript(16)
    let refused = 0
    await serve((turn) => {
      if (turn !== 10) return script(turn < 10 ? turn : turn - 1)
      refused += 1
      return refusal
    })
    const engine = engineOn()
    const tied = tie(way, engine, server, { conversation: 'a' })
    const done = await run(tied, [user(task)], { steps: 16, stream })
    expect(done.text).toMatch(/must be changed first/)
    expect(refused).toBe(1)
    const [long, short] = [server.served[10], server.served[11]]
    expect(short?.tokens).toBeLessThan((long?.tokens ?? 0) * 0.75)
    expect(server.served).toHaveLength(17)
    expect(await drawLog(engine, 'a')).toHaveLength(32)
  })

  it.each([false, true])('a second time reaches the caller (streamed: %s)', async (stream) => {
    const script = agentScript(16)
    await serve((turn) => (turn < 10 ? script(turn) : refusal))
    const engine = engineOn()
    const tied = tie(way, engine, server, { conversation: 'a' })
    await expect(run(tied, [user(task)], { steps: 16, stream })).rejects.toThrow(
      /maximum context length/,
    )
    expect(server.served).toHaveLength(12)
  })

  it('differs from other refusals, which are not retried', async () => {
    const limit = {
      message: 'Rate limit reached: tokens per min (TPM): Limit 3000',
      code: 'rate_limit_exceeded',
    }
    await serve(() => ({ status: 429, error: limit }))
    const engine = engineOn()
    const tied = tie(way, engine, server, { conversation: 'a' })
    await expect(run(tied, [user(task)], { steps: 2 })).rejects.toThrow(/Rate limit/)
    expect(server.served).toHaveLength(1)
    // The prompt is in the log already; the next try does not append it again.
    await expect(run(tied, [user(task)], { steps: 2 })).rejects.toThrow(/Rate limit/)
    expect(await drawLog(engine, 'a')).toEqual([`user: ${task}`])
  })
})

describe('a refusal inside a stream', () => {
  it('before any output is retried with a smaller request, unnoticed by the caller', async () => {
    await serve(() => ({ text: '' }))
    const engine = engineOn()
    const chat = engine.conversation('a')
    for (let turn = 0; turn < 40; turn += 1)
      await chat.append([
        { role: 'user', content: `Question ${turn}: ${'word '.repeat(100)}` },
        { role: 'assistant', content: `Answer ${turn}.` },
      ])
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    }
    const error = {
      type: 'error',
      error: {
        code: 'context_length_exceeded',
        message: 'Your input exceeds the context window of this model.',
      },
    }
    const streams: ModelStreamPart[][] = [
      [
        { type: 'stream-start', warnings: [] },
        { type: 'error', error },
      ],
      [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Fine.' },
        { type: 'text-end', id: '1' },
        {
          type: 'finish',
          finishReason: { unified: 'stop', raw: undefined },
          usage,
        },
      ],
    ]
    const mock = new MockLanguageModelV4({
      doStream: async () => ({ stream: convertArrayToReadableStream(streams.shift() ?? []) }),
    })
    const middleware = throughlineMiddleware({
      engine,
      conversation: 'a',
      model: 'agent-16k',
      history: 'recent',
    })
    const model = wrapLanguageModel({ model: mock, middleware })
    const errors: unknown[] = []
    const { text } = streamText({
      model,
      messages: [user('And now?')],
      maxRetries: 0,
      onError: ({ error: seen }) => {
        errors.push(seen)
      },
    })
    expect(await text).toBe('Fine.')
    expect(errors).toEqual([])
    const [long, short] = mock.doStreamCalls.map(({ prompt }) => JSON.stringify(prompt).length)
    expect(short).toBeLessThan(long ?? 0)
    expect((await drawLog(engine, 'a')).slice(-2)).toEqual(['user: And now?', 'assistant: Fine.'])
  })
})
