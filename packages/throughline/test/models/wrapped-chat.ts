/** A chat through the middleware whose own model writes its summaries, over HTTP. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, streamText, type ToolSet, wrapLanguageModel } from 'ai'
import { createThroughline, policies, type Receipt } from 'throughline'
import { conversationCall, throughlineMiddleware } from 'throughline/ai-sdk'
import { type LanguageModelOptions, languageModel } from 'throughline/models'
import { fakeClock } from 'throughline/testing'
import { createFaultServer, type FaultServerOptions } from '../../../../harness/fault-server.ts'

const apiKey = 'test-key'
const models = {
  'openai-chat': (baseURL: string) => createOpenAI({ baseURL, apiKey }).chat('gpt-4.1-mini'),
  'openai-responses': (baseURL: string) =>
    createOpenAI({ baseURL, apiKey }).responses('gpt-4.1-mini'),
  'anthropic-messages': (baseURL: string) =>
    createAnthropic({ baseURL, apiKey })('claude-haiku-4-5'),
} as const

export const apis = Object.keys(models) as (keyof typeof models)[]
export type Body = Readonly<Record<string, unknown>>

export interface Chat {
  readonly api?: keyof typeof models
  readonly policy?: 'rolling-rows' | 'ratio-chain'
  readonly options?: LanguageModelOptions
  readonly answers?: FaultServerOptions['answers']
  /** Between two turns. */
  readonly minutes?: number
  /** The number of compactions to wait for. */
  readonly receipts?: number
}

export interface Asked {
  /** The last request of the chat before the summary was asked for, and the requests for it. */
  readonly before: Body
  readonly summaries: readonly Body[]
}

export interface Chatted {
  readonly receipts: readonly Receipt[]
  readonly asked: readonly Asked[]
  readonly problems: readonly string[]
}

const settings = {
  'rolling-rows': { contextWindowTokens: 16_000, storedTurns: 9 },
  'ratio-chain': { contextWindowTokens: 8_000, storedTurns: 14 },
} as const

export async function chatted({
  api = 'openai-chat',
  policy = 'rolling-rows',
  options,
  answers = answered,
  minutes = 1,
  receipts = 1,
}: Chat): Promise<Chatted> {
  const server = await createFaultServer({ answers })
  const model = models[api](server.url)
  const { contextWindowTokens, storedTurns } = settings[policy]
  const clock = fakeClock()
  const engine = createThroughline({
    // A request waits for its summary, so that the requests for the summary are known.
    policy: { ...policies[policy], run: { mode: 'blocking' } },
    clock,
    // The same counts for every API: the amounts of `settings` belong to them.
    models: [
      { id: model.modelId, contextWindowTokens, tokenizer: 'estimate', tokensPerEstimate: 1.3 },
    ],
    summarizer: languageModel(model, {
      prices: { inputUsd: 1, cachedInputUsd: 0.1, outputUsd: 4 },
      continues: conversationCall(),
      ...options,
    }),
  })
  const middleware = throughlineMiddleware({ engine, conversation: 'plan', history: 'recent' })
  const wrapped = wrapLanguageModel({ model, middleware })
  const chat = engine.conversation('plan')
  try {
    // Older turns are stored directly, so that fewer requests suffice.
    for (let turn = 0; turn < storedTurns; turn += 1) {
      await chat.append({ role: 'user', content: question(turn) })
      await chat.append({ role: 'assistant', content: reply(turn) })
    }
    for (let turn = storedTurns; turn < turnsMax; turn += 1) {
      const { text } = streamText({
        model: wrapped,
        maxRetries: 0,
        instructions: 'You help with plans.',
        prompt: question(turn),
        tools,
      })
      await text
      clock.set(clock.now() + minutes * 60_000)
      if ((await chat.receipts({ limit: 9 })).length >= receipts) break
    }
    return {
      receipts: await chat.receipts({ limit: 9 }),
      asked: summariesIn(server.requests.map(({ body }) => body as Body)),
      problems: server.requests.flatMap(({ problems }) => problems),
    }
  } finally {
    await engine.close()
    await server.close()
  }
}

const turnsMax = 60

function question(turn: number): string {
  return `Question ${turn}: what of module-${turn}.ts, build ${73_482_137 + turn * 7_717}? ${'Consider how it goes on. '.repeat(30)}`
}

function reply(turn: number): string {
  return `Part ${turn} is read. ${'The plan of it holds. '.repeat(8)}`
}

const tools: ToolSet = {
  look: {
    description: 'Looks at a file.',
    inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
    strict: true,
  },
}

export const answered = ({ number, messages, schema }: Question): string => {
  const asked = messages.at(-1)?.text ?? ''
  if (!isForSummary(asked)) return reply(number)
  const builds = [...new Set(JSON.stringify(messages).match(/build \d+/g))]
  // Includes the last question, which the chat's own model has seen.
  const named = [...builds.slice(0, 8), ...builds.slice(8).slice(-1)]
  const summary = `The user asked about ${named.join(', ')}.`
  const isForm = schema !== null || asked.includes('"keyPoints"')
  return isForm ? JSON.stringify({ summary, keyPoints: [] }) : summary
}

export type Question = Parameters<
  Extract<FaultServerOptions['answers'], (...given: never) => unknown>
>[0]

function isForSummary(text: string): boolean {
  return /Write the (?:summary|JSON object) now/.test(text)
}

function summariesIn(bodies: readonly Body[]): readonly Asked[] {
  const asked: { before: Body; summaries: Body[] }[] = []
  let before: Body | undefined
  for (const body of bodies)
    if (!isForSummary(JSON.stringify(messagesOf(body).at(-1)))) before = body
    else if (asked.at(-1)?.before === before) asked.at(-1)?.summaries.push(body)
    else if (before !== undefined) asked.push({ before, summaries: [body] })
  return asked
}

function messagesOf({ messages, input }: Body): readonly unknown[] {
  return (messages ?? input) as readonly unknown[]
}

/** Cache marks are not part of the cached text. */
function bytes(value: unknown): string {
  return JSON.stringify(value, (name, inner) => (name === 'cache_control' ? undefined : inner))
}

/** Fields that providers place before the messages, or that change how they read them. */
const beforeMessages = [
  ...['model', 'tools', 'tool_choice', 'system', 'instructions', 'thinking', 'reasoning'],
  ...['response_format', 'text', 'output_config', 'output_format'],
]

/** Whether a request begins with another, byte for byte, and adds messages at its end. */
export function extendsRequest(before: Body, body: Body): boolean {
  const sent = messagesOf(before)
  const asked = messagesOf(body)
  return (
    beforeMessages.every((field) => bytes(before[field]) === bytes(body[field])) &&
    bytes(asked.slice(0, sent.length)) === bytes(sent) &&
    asked.length > sent.length
  )
}
