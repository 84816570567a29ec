/** What the adapter writes, put through the SDK itself and two of its providers; no network. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type ModelMessage, modelMessageSchema, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { buildDeliverable } from '../../calls/read-messages.ts'
import type { Adapter } from '../../ports/adapter.ts'
import { sha256 } from '../../system.ts'
import { aiSdk } from '../ai-sdk.ts'
import { anthropicRequest } from '../anthropic/arbitrary.test-support.ts'
import { anthropicMessagesProblems } from '../anthropic/rules.ts'
import { geminiRequest } from '../gemini/arbitrary.test-support.ts'
import { anthropicMessages, geminiContents, openaiChat, openaiResponses } from '../http-adapters.ts'
import { chatRequest, responsesRequest } from '../openai/arbitrary.test-support.ts'
import { openaiChatProblems } from '../openai/chat-rules.ts'
import { openaiResponsesProblems } from '../openai/responses-rules.ts'
import { prompts } from './arbitrary.test-support.ts'
import type { AiSdkRequest } from './request.ts'

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

type Prompt = Pick<Parameters<typeof generateText>[0], 'instructions' | 'messages'>

describe('the types of the AI SDK', () => {
  it('accept the messages that the adapter writes', () => {
    expectTypeOf<AiSdkRequest['messages']>().toExtend<ModelMessage[]>()
    expectTypeOf<ReturnType<typeof aiSdk.write>>().toExtend<
      Pick<AiSdkRequest, 'instructions'> & { messages: NonNullable<Prompt['messages']> }
    >()
    expectTypeOf<NonNullable<AiSdkRequest['instructions']>>().toExtend<
      NonNullable<Prompt['instructions']>
    >()
  })

  it('are accepted by the adapter', () => {
    expectTypeOf<{ messages: ModelMessage[] }>().toExtend<Parameters<typeof aiSdk.read>[0]>()
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }]
    expect(aiSdk.read({ messages }).messages).toHaveLength(1)
  })
})

describe('the AI SDK', () => {
  it('accepts everything that the adapter writes by its own schema', () => {
    fc.assert(
      fc.property(prompts, (prompt) => {
        for (const message of rewritten(prompt).messages)
          expect(modelMessageSchema.safeParse(message).error).toBeUndefined()
      }),
    )
  })

  it('accepts every prompt in which the rules find no problem', async () => {
    await fc.assert(
      fc.asyncProperty(prompts, fc.infiniteStream(fc.nat(9)), async (prompt, chance) => {
        const messages = prompt.messages.filter(() => chance.next().value !== 0)
        const mutilated = { ...prompt, messages }
        fc.pre(aiSdk.problems(mutilated).length === 0)
        expect(await ask(mutilated)).toBe('Fine.')
      }),
      { numRuns: 300 },
    )
  })

  it('accepts a history that was cut at any position', async () => {
    await fc.assert(
      fc.asyncProperty(prompts, fc.infiniteStream(fc.nat(4)), async (prompt, chance) => {
        const whole = buildDeliverable(aiSdk.read(prompt), sha256)
        const messages = whole.messages.filter(() => chance.next().value !== 0)
        fc.pre(messages.length > 0)
        expect(await ask(aiSdk.write({ ...whole, messages }))).toBe('Fine.')
      }),
      { numRuns: 300 },
    )
  })
})

const refused = {
  messages: [
    { role: 'user', content: 'Delete it.' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'remove', input: {} }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: 'remove',
          output: { type: 'execution-denied' },
        },
      ],
    },
  ],
} as const satisfies AiSdkRequest

describe('a refusal without a reason', () => {
  it.each([
    ['Anthropic', anthropicBody],
    ['chat completions', chatBody],
    ['responses', responsesBody],
  ] as const)('leaves for %s in the words that it was read with', async (_, body) => {
    const [, , reading] = aiSdk.read(refused).messages
    expect(reading?.content).toMatchObject([{ output: { text: 'Tool call execution denied.' } }])
    const prompt = rewritten(refused)
    expect(prompt).toEqual(refused)
    expect(JSON.stringify(await body(prompt))).toContain('Tool call execution denied.')
  })
})

const hello = { role: 'user', content: 'Hello.' } as const

const providers = [
  ['Anthropic', anthropicBody, anthropicMessagesProblems],
  ['chat completions', chatBody, openaiChatProblems],
  ['responses', responsesBody, openaiResponsesProblems],
] as const

describe('histories of other providers', () => {
  it.each([
    ['Anthropic', anthropicMessages, anthropicRequest],
    ['chat completions', openaiChat, chatRequest],
    ['responses', openaiResponses, responsesRequest],
    ['Gemini', geminiContents, geminiRequest],
  ] as const)('are taken from %s, and leave as the rules of all providers want', async (...row) => {
    const [, adapter, requests] = row as unknown as [string, Adapter<object>, fc.Arbitrary<object>]
    let bodies = 0
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const reading = adapter.read(request)
        const messages = [hello, ...reading.messages, hello]
        const prompt = aiSdk.write(buildDeliverable({ ...reading, messages }, sha256))
        expect(await ask(prompt)).toBe('Fine.')
        // The SDK's own mapping of names finds `constructor` in the prototype of its table.
        fc.pre(Object.keys(toolsOf(prompt)).every((tool) => !(tool in Object.prototype)))
        for (const [name, body, problems] of providers) {
          const sent = await body(prompt).catch(unsupported)
          if (sent === null) continue
          bodies += 1
          expect({ name, prompt, problems: problems(sent) }).toEqual({ name, prompt, problems: [] })
        }
      }),
      { numRuns: 100 },
    )
    // Files that a provider has no form for must not be all that was tried.
    expect(bodies).toBeGreaterThan(100)
  })
})

/** A provider that has no form for a kind of file says so before it sends anything. */
function unsupported(error: unknown): null {
  expect(`${error}`).toMatch(/^AI_UnsupportedFunctionalityError/)
  return null
}

function rewritten(prompt: AiSdkRequest): AiSdkRequest {
  return aiSdk.write(buildDeliverable(aiSdk.read(prompt), sha256))
}

async function ask(prompt: AiSdkRequest): Promise<string> {
  const { text } = await generateText({
    ...prompt,
    model: new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text: 'Fine.' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      },
    }),
    maxRetries: 0,
    tools: toolsOf(prompt),
    experimental_download: keepAddresses,
  })
  return text
}

/** Addresses are never opened. */
async function keepAddresses(files: readonly unknown[]): Promise<null[]> {
  return files.map(() => null)
}

/** A call that waits for approval is run by the SDK, so the caller must have its tool. */
function toolsOf({ messages }: AiSdkRequest): ToolSet {
  const parts = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content : [],
  )
  return Object.fromEntries(
    parts.flatMap((part) =>
      part.type === 'tool-call'
        ? [[part.toolName, { inputSchema: jsonSchema({}), execute: () => 'Done.' }]]
        : [],
    ),
  )
}

/** Bodies as the SDK's providers send them. */
type Model = Parameters<typeof generateText>[0]['model']

async function bodyOf(
  prompt: AiSdkRequest,
  answer: object,
  model: (fetch: typeof globalThis.fetch) => Model,
): Promise<unknown> {
  const bodies: string[] = []
  const fetch = async (_: unknown, init?: { readonly body?: unknown }) => {
    bodies.push(`${init?.body}`)
    return Response.json(answer)
  }
  await generateText({
    ...prompt,
    model: model(fetch as typeof globalThis.fetch),
    maxRetries: 0,
    experimental_download: keepAddresses,
  })
  return JSON.parse(bodies[0] ?? 'null')
}

function anthropicBody(prompt: AiSdkRequest): Promise<unknown> {
  const answer = {
    type: 'message',
    id: 'msg_1',
    model: 'claude-sonnet-5-5',
    content: [{ type: 'text', text: 'Fine.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  return bodyOf(prompt, answer, (fetch) =>
    createAnthropic({ apiKey: 'none', fetch })('claude-sonnet-5-5'),
  )
}

function chatBody(prompt: AiSdkRequest): Promise<unknown> {
  const answer = {
    id: 'chatcmpl_1',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Fine.' } },
    ],
  }
  return bodyOf(prompt, answer, (fetch) => createOpenAI({ apiKey: 'none', fetch }).chat('gpt-4.1'))
}

function responsesBody(prompt: AiSdkRequest): Promise<unknown> {
  const text = { type: 'output_text', text: 'Fine.', annotations: [] }
  const answer = {
    id: 'resp_1',
    created_at: 0,
    model: 'gpt-4.1',
    output: [{ type: 'message', role: 'assistant', id: 'msg_1', content: [text] }],
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  return bodyOf(prompt, answer, (fetch) =>
    createOpenAI({ apiKey: 'none', fetch }).responses('gpt-4.1'),
  )
}
