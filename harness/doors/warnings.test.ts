/** Warnings of a context, as the AI SDK passes them on. */
import { generateText, streamText, wrapLanguageModel } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { createThroughline } from 'throughline'
import { throughlineMiddleware, throughlineStep } from 'throughline/ai-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

beforeEach(() => Reflect.set(globalThis, 'AI_SDK_LOG_WARNINGS', false))
afterEach(() => Reflect.deleteProperty(globalThis, 'AI_SDK_LOG_WARNINGS'))

const inputTokens = { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 }
const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } }
const finishReason = { unified: 'stop', raw: 'stop' } as const
const given = { type: 'other', message: 'from the provider' } as const

function modelNamed(modelId: string): MockLanguageModelV4 {
  const content = [{ type: 'text', text: 'Fine.' }] as const
  return new MockLanguageModelV4({
    provider: 'openai.chat',
    modelId,
    doGenerate: async () => ({ content: [...content], finishReason, usage, warnings: [given] }),
    doStream: async () => ({
      stream: convertArrayToReadableStream([
        { type: 'stream-start', warnings: [given] },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Fine.' },
        { type: 'text-end', id: '1' },
        { type: 'finish', finishReason, usage },
      ]),
    }),
  })
}

const unknown = {
  type: 'other',
  message: expect.stringMatching(
    /^throughline: unknown model "openai\/gpt5-mini": .* Did you mean "gpt-5-mini"\?/,
  ) as string,
}
const options = { engine: createThroughline(), conversation: 'a' }
const prompt = 'And now?'

describe('an unknown model', () => {
  it('is a warning of the result, beside those of the provider', async () => {
    const middleware = throughlineMiddleware(options)
    const model = wrapLanguageModel({ model: modelNamed('gpt5-mini'), middleware })
    expect((await generateText({ model, prompt })).warnings).toEqual([given, unknown])
    const streamed = streamText({ model, prompt: 'And then?' })
    await streamed.consumeStream()
    expect(await streamed.warnings).toEqual([given, unknown])
  })

  it('is a warning where a step is prepared', async () => {
    const prepareStep = throughlineStep({ ...options, conversation: 'b' })
    const model = modelNamed('gpt5-mini')
    expect((await generateText({ model, prompt, prepareStep })).warnings).toEqual([given, unknown])
  })

  it('adds nothing for a known model', async () => {
    const middleware = throughlineMiddleware({ ...options, conversation: 'c' })
    const model = wrapLanguageModel({ model: modelNamed('gpt-5-mini'), middleware })
    expect((await generateText({ model, prompt })).warnings).toEqual([given])
  })

  it('is refused with strictModels', async () => {
    const engine = createThroughline({ strictModels: true })
    const middleware = throughlineMiddleware({ ...options, engine })
    const model = wrapLanguageModel({ model: modelNamed('gpt5-mini'), middleware })
    await expect(generateText({ model, prompt })).rejects.toMatchObject({ code: 'MODEL_UNKNOWN' })
  })
})
