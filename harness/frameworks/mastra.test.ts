/** The processor for Mastra, called as Mastra does. */
import { createThroughline } from 'throughline'
import { throughlineProcessor } from 'throughline/mastra'
import { expect, it } from 'vitest'
import { drawLog } from '../doors/door-fixture.test-support.ts'

const model = { provider: 'openai.chat', modelId: 'gpt-5-mini' }
const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
const chunks = [
  { type: 'text-start', payload: { id: '1' } },
  { type: 'text-delta', payload: { id: '1', text: 'I read ' } },
  { type: 'text-delta', payload: { id: '1', text: 'it.' } },
  { type: 'text-end', payload: { id: '1' } },
  { type: 'tool-call', payload: { toolCallId: 'c1', toolName: 'read', args: { path: 'a.ts' } } },
  { type: 'finish', payload: { output: { usage: { inputTokens: 40, outputTokens: 4 } } } },
]
const memory = { get: (key: never) => (key === 'MastraMemory' ? { thread: { id: 't1' } } : null) }

it('records a call and its reply in the conversation of the thread', async () => {
  const engine = createThroughline()
  const processor = throughlineProcessor({ engine })
  const state = {}
  const call = { prompt: [user('Read a.ts.')], model, state, requestContext: memory }
  expect(await processor.processLLMRequest(call)).toMatchObject({ prompt: call.prompt })
  const tools = [{ type: 'function', function: { name: 'read' } }]
  await processor.processLLMResponse({ chunks, state, request: { body: { tools } } })
  expect(await drawLog(engine, 't1')).toEqual([
    'user: Read a.ts.',
    'assistant: I read it. | → read c1',
  ])
  // The next call continues the log, and counts the tools of the one before.
  const before = (await engine.conversation('t1').status()).last?.tokens ?? 0
  const reply = {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I read it.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a.ts' } },
    ],
  }
  const output = { type: 'text', value: 'const a = 1' }
  const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output }
  const prompt = [user('Read a.ts.'), reply, { role: 'tool', content: [result] }]
  await processor.processLLMRequest({ ...call, prompt, state: {} })
  expect(await drawLog(engine, 't1')).toHaveLength(3)
  expect((await engine.list()).map(({ id }) => id)).toEqual(['t1'])
  const { last } = await engine.conversation('t1').status()
  expect(last?.tokens).toBeGreaterThan(before)
})

it('does not record a reply from a cache, nor one of a call that it did not prepare', async () => {
  const engine = createThroughline()
  const processor = throughlineProcessor({ engine, conversation: 'a' })
  const state = {}
  await processor.processLLMRequest({ prompt: [user('Hello.')], model, state })
  await processor.processLLMResponse({ chunks, state, fromCache: true })
  await processor.processLLMResponse({ chunks, state: {} })
  expect(await drawLog(engine, 'a')).toEqual(['user: Hello.'])
})

it('asks for a smaller request after one that was refused as too long, and only then', async () => {
  const engine = createThroughline()
  const chat = engine.conversation('a')
  for (let turn = 0; turn < 40; turn += 1)
    await chat.append([
      { role: 'user', content: `Question ${turn}: ${'word '.repeat(100)}` },
      { role: 'assistant', content: `Answer ${turn}.` },
    ])
  const processor = throughlineProcessor({ engine, conversation: 'a', history: 'recent' })
  const state = {}
  const call = { prompt: [user('And now?')], model, state }
  const first = await processor.processLLMRequest(call)
  expect(
    await processor.processAPIError({ state, error: new Error('Bad gateway') }),
  ).toBeUndefined()
  const error = new Error("This model's maximum context length is 2000 tokens.")
  expect(await processor.processAPIError({ state, error })).toEqual({ retry: true })
  const second = await processor.processLLMRequest(call)
  expect(JSON.stringify(second).length).toBeLessThan(JSON.stringify(first).length)
  expect(await processor.processAPIError({ state: {}, error })).toBeUndefined()
})

it('needs a conversation or a thread', async () => {
  const processor = throughlineProcessor({ engine: createThroughline() })
  await expect(
    processor.processLLMRequest({ prompt: [user('x')], model, state: {} }),
  ).rejects.toThrow(/thread/)
})
