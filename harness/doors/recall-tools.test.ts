/** A model that searches its own history with our tools, through the unmodified AI SDK. */
import {
  generateText,
  isStepCount,
  type LanguageModel,
  streamText,
  type ToolSet,
  wrapLanguageModel,
} from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import {
  type ConversationHandle,
  type RecallableConversation,
  recallToolSchemas,
} from 'throughline'
import { recallTools, throughlineMiddleware, throughlineStep } from 'throughline/ai-sdk'
import { build } from 'throughline/testing'
import { describe, expect, it } from 'vitest'
import { modelName } from './agent.ts'
import { drawLog, engineOn } from './door-fixture.test-support.ts'

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

const usage: Generated['usage'] = {
  inputTokens: { total: 900, noCache: 900, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 9, text: 9, reasoning: 0 },
}

const call = (toolCallId: string, toolName: string, input: object): Generated['content'] => [
  { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) },
]

/** Searches, opens the first result, reads its next page, and answers. */
function searching(names = { recall: 'recall', expand: 'expand' }): MockLanguageModelV4 {
  const replies: ((page: string) => Generated['content'])[] = [
    () => call('a', names.recall, { query: 'the number of the invoice' }),
    (page) => call('b', names.expand, { anchor: /(#\d+)/.exec(page)?.[1] }),
    (page) => call('c', names.expand, { anchor: / at (#[\d+]+)\]/.exec(page)?.[1] }),
    () => call('d', names.expand, { anchor: 'the end' }),
    () => [{ type: 'text', text: 'It is 4711.' }],
  ]
  const next = (prompt: unknown) => ({
    content: replies.shift()?.(JSON.stringify(prompt)) ?? [],
    finishReason: { unified: replies.length > 0 ? 'tool-calls' : 'stop', raw: undefined } as const,
    usage,
    warnings: [],
  })
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => next(prompt.slice(-1)),
    doStream: async ({ prompt }) => {
      const { content, finishReason } = next(prompt.slice(-1))
      const finish: Streamed = { type: 'finish', finishReason, usage }
      return { stream: convertArrayToReadableStream([...content.flatMap(asStreamed), finish]) }
    },
  })
}

type Streamed =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never

function asStreamed(part: Generated['content'][number]): readonly Streamed[] {
  if (part.type === 'tool-call') return [part]
  if (part.type !== 'text') return []
  return [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: part.text },
    { type: 'text-end', id: '1' },
  ]
}

const invoice = Array.from({ length: 300 }, (_, line) => `position ${line}, 12.50 each`).join('\n')

/** A search that returns a fixed result. */
function searchable(chat: ConversationHandle): RecallableConversation {
  return {
    expand: (anchor, options) => chat.expand(anchor, options),
    recall: async (query) => ({
      query,
      pieces: [
        {
          ...{
            anchor: '#1',
            span: { from: 1, to: 2 },
            at: 0,
            score: 1,
            kind: 'messages',
            origins: [],
            foundBy: { words: ['invoice'], names: [], neighbours: [], meaning: null },
          },
          text: 'invoice 4711',
        },
      ],
      unsearched: null,
    }),
  }
}

const question = { role: 'user' as const, content: 'Which number has the invoice?' }

/** A conversation whose first messages are summarized. */
async function begin() {
  const engine = engineOn()
  const chat = engine.conversation('a')
  let history = build().user('The invoice, please.').says(`Invoice 4711\n${invoice}`)
  for (let turn = 0; turn < 30; turn += 1)
    history = history
      .user(`And number ${turn}?`)
      .says(`Number ${turn}: ${'paid in full. '.repeat(160)}`)
  await chat.append(history.messages)
  return { engine, chat }
}

const results = (steps: readonly { readonly toolResults: readonly { output?: unknown }[] }[]) =>
  steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => String(output)))

const note = '[Search everything left out with `recall`. Open an anchor such as #12 with `expand`.]'

const hasNote = ({ prompt }: { readonly prompt: unknown }) => JSON.stringify(prompt).includes(note)

function expectFound(texts: readonly string[]): void {
  expect(texts).toHaveLength(4)
  expect(texts[0]).toContain('invoice 4711')
  expect(texts[1]).toMatch(/#1 assistant.*\nInvoice 4711\nposition 0,[\s\S]* at #1\+\d+\]$/)
  expect(texts[2]).toMatch(/#1 assistant.* · characters \d+ to \d+ of \d+\]\nposition/)
  expect(texts[3]).toMatch(/^\[SPAN_INVALID: /)
}

describe('recall and expand', () => {
  it('are AI SDK tools whose errors do not end a run', async () => {
    const { engine, chat } = await begin()
    const model = searching()
    const tools = recallTools(searchable(chat), { tokens: 1_000 })
    const { text, steps } = await generateText({
      ...{ model, tools, messages: [question], stopWhen: isStepCount(9), maxRetries: 0 },
    })
    expect(text).toBe('It is 4711.')
    expectFound(results(steps))
    expect(model.doGenerateCalls[0]?.tools).toEqual(
      recallToolSchemas().map(({ name, description, parameters }) => ({
        ...{ type: 'function', name, description, inputSchema: parameters },
      })),
    )
    await engine.close()
  })

  it('can have other names, which the types know', async () => {
    const { engine, chat } = await begin()
    const names = { recall: 'search_history', expand: 'open_message' } as const
    const tools = recallTools(searchable(chat), { names, tokens: 1_000 })
    const { steps } = await streamed({ model: searching(names), tools, messages: [question] })
    expectFound(results(steps))
    expect(await tools.open_message.execute({ anchor: '#0' })).toContain('The invoice, please.')
    await engine.close()
  })

  it('are announced by the middleware, and the log keeps their results', async () => {
    const { engine, chat } = await begin()
    const mock = searching()
    const middleware = throughlineMiddleware({
      ...{ engine, conversation: 'a', model: modelName, history: 'recent' },
    })
    const model = wrapLanguageModel({ model: mock, middleware })
    const tools = recallTools(searchable(chat), { tokens: 1_000 })
    const { steps } = await generateText({
      ...{ model, tools, messages: [question], stopWhen: isStepCount(9), maxRetries: 0 },
    })
    expectFound(results(steps))
    expect(mock.doGenerateCalls.map(hasNote)).toEqual([true, true, true, true, true])
    const log = await drawLog(engine, 'a')
    expect(log.slice(-9).map((line) => line.slice(0, 24))).toEqual([
      'assistant: → recall a',
      'tool: ← a',
      'assistant: → expand b',
      'tool: ← b',
      'assistant: → expand c',
      'tool: ← c',
      'assistant: → expand d',
      'tool: ← d',
      'assistant: It is 4711.',
    ])
    await engine.close()
  })

  it('are announced by `prepareStep`, also in the first step', async () => {
    const { engine, chat } = await begin()
    const mock = searching()
    const prepareStep = throughlineStep({
      ...{ engine, conversation: 'a', model: modelName, history: 'recent' },
    })
    const tools = recallTools(searchable(chat), { tokens: 1_000 })
    const { steps } = await generateText({
      ...{ model: mock, tools, messages: [question], prepareStep },
      ...{ stopWhen: isStepCount(9), maxRetries: 0 },
    })
    expectFound(results(steps))
    expect(mock.doGenerateCalls.map(hasNote)).toEqual([true, true, true, true, true])
    await engine.close()
  })
})

async function streamed<Tools extends ToolSet>(options: {
  readonly model: LanguageModel
  readonly tools: Tools
  readonly messages: (typeof question)[]
}) {
  const result = streamText({ ...options, stopWhen: isStepCount(9), maxRetries: 0 })
  await result.consumeStream()
  return { steps: await result.steps }
}
