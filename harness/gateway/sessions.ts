/**
 * Sessions of many turns with tools, through SDKs as programs use them. The upstream refuses nothing and gets
 * nothing above its window, answers arrive byte for byte, and what surrounds the messages keeps its bytes.
 */
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { fieldSpans, itemSpans, textAt } from '../../packages/server/src/gateway/raw-json.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import { aiSdkTalk, langChainTalk } from './framework-talks.ts'
import type { ApiName } from './scripted-upstream.ts'
import { lists, sentItems, withoutHints } from './sent-items.ts'
import { type StartedGateway, smallModel, startGateway } from './started-gateway.ts'
import { question, resultOf, schema, system } from './talk-data.ts'
import type { ScriptedAnswer } from './wire-answers.ts'

export interface SessionOptions {
  readonly turns: number
  readonly sessions?: readonly SessionName[]
}

export interface SessionReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<
    'requests' | 'refused' | 'compacted' | 'conversations' | 'extended' | 'broken' | 'unexplained'
  >
}

export type SessionName = ApiName | 'ai-sdk' | 'langchain'

/** Those of the services’ own SDKs. */
const sdkSessions: readonly ApiName[] = ['anthropic', 'chat', 'responses', 'gemini']
export const sessionNames: readonly SessionName[] = [...sdkSessions, 'ai-sdk', 'langchain']

export async function runSessions({
  turns,
  sessions = sdkSessions,
}: SessionOptions): Promise<SessionReport> {
  const findings: Finding[] = []
  const figures = {
    ...{ requests: 0, refused: 0, compacted: 0, conversations: 0 },
    ...{ extended: 0, broken: 0, unexplained: 0 },
  }
  for (const name of sessions) {
    const api = name === 'ai-sdk' || name === 'langchain' ? 'chat' : name
    const gateway = await startGateway({
      windowTokens: smallModel.contextWindowTokens,
      answer: (number) => answerOf(number, api),
    })
    try {
      const watched = watchFetch()
      await talk[name](gateway, watched.fetch, turns)
      const add = (rule: string, detail: string) =>
        findings.push({ rule, detail: `${name}: ${detail}` })
      checkCalls(gateway, watched, add, figures)
      for (const [at, answer] of watched.answers.entries())
        if (!gateway.upstream.calls[at]?.answer.equals(await answer))
          add('answer', `answer ${at} has other bytes than the upstream sent`)
      const conversations = (await gateway.conversations()).length
      figures.conversations += conversations
      if (conversations !== 1) add('one-conversation', `${conversations} conversations`)
    } finally {
      await gateway.stop()
    }
  }
  return { findings, figures }
}

/** Every other answer calls a tool. */
function answerOf(number: number, api: ApiName): ScriptedAnswer {
  const thinking = api === 'gemini' || api === 'chat' ? {} : { thinking: `Thought ${number}.` }
  if (number % 2 === 0)
    return { ...thinking, calls: [{ name: 'read', input: { path: `src/part-${number}.ts` } }] }
  return {
    ...thinking,
    text: `Part ${number} exports the function part${number}. All is in order – “done”.`,
  }
}

export type Talk = (gateway: StartedGateway, watched: typeof fetch, turns: number) => Promise<void>

const talk: Readonly<Record<SessionName, Talk>> = {
  'ai-sdk': aiSdkTalk,
  langchain: langChainTalk,
  anthropic: async ({ url, key }, watched, turns) => {
    const client = new Anthropic({
      ...{ baseURL: url, apiKey: 'upstream-key', maxRetries: 0, fetch: watched },
      defaultHeaders: { 'x-throughline-key': key },
    })
    const messages: Anthropic.MessageParam[] = []
    const ask = async (isStream: boolean) => {
      const body = {
        ...{ model: 'small', max_tokens: 1000, messages: [...messages] },
        system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral', ttl: '1h' } }],
        tools: [{ name: 'read', description: 'Reads.', input_schema: schema }],
      } as unknown as Anthropic.MessageCreateParamsNonStreaming
      const message = isStream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body)
      messages.push({ role: 'assistant', content: message.content })
      return message.content.find((block) => block.type === 'tool_use')
    }
    for (let turn = 0; turn < turns; turn += 1) {
      // As agents do: text becomes a list, and the hint is on the newest message only.
      for (const message of messages) strip(message)
      messages.push({ role: 'user', content: [{ ...textBlock(question(turn)), ...hint }] })
      const call = await ask(turn % 3 > 0)
      if (call === undefined) continue
      const content = [
        { type: 'tool_result' as const, tool_use_id: call.id, content: resultOf(turn) },
      ]
      messages.push({ role: 'user', content })
      await ask(turn % 3 > 0)
    }
  },
  chat: async ({ url, key }, watched, turns) => {
    const client = openaiClient(url, key, watched)
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: system }]
    const ask = async (isStream: boolean) => {
      const body = {
        ...{ model: 'small', messages: [...messages], max_completion_tokens: 1000 },
        tools: [{ type: 'function' as const, function: { name: 'read', parameters: schema } }],
      }
      const completion = isStream
        ? await client.chat.completions
            .stream({ ...body, stream: true, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await client.chat.completions.create(body)
      const message = completion.choices[0]?.message
      if (message === undefined) throw new Error('no choice')
      messages.push(message)
      return message.tool_calls?.[0]
    }
    for (let turn = 0; turn < turns; turn += 1) {
      messages.push({ role: 'user', content: question(turn) })
      const call = await ask(turn % 3 > 0)
      if (call === undefined) continue
      messages.push({ role: 'tool', tool_call_id: call.id, content: resultOf(turn) })
      await ask(turn % 3 > 0)
    }
  },
  responses: async ({ url, key }, watched, turns) => {
    const client = openaiClient(url, key, watched)
    const input: OpenAI.Responses.ResponseInputItem[] = []
    const ask = async (isStream: boolean) => {
      const body = {
        ...{ model: 'small', instructions: system, input: [...input], max_output_tokens: 1000 },
        ...{ store: false, include: ['reasoning.encrypted_content' as const] },
        tools: [{ type: 'function' as const, name: 'read', parameters: schema, strict: false }],
      }
      const response = isStream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body)
      input.push(...response.output.map(({ ...item }) => withoutParsed(item)))
      const call = response.output.find((item) => item.type === 'function_call')
      return call?.type === 'function_call' ? call : undefined
    }
    for (let turn = 0; turn < turns; turn += 1) {
      input.push({ role: 'user', content: question(turn) })
      const call = await ask(turn % 3 > 0)
      if (call === undefined) continue
      const { call_id } = call
      input.push({ type: 'function_call_output', call_id, output: resultOf(turn) })
      await ask(turn % 3 > 0)
    }
  },
  gemini: async ({ url, key }, watched, turns) => {
    const client = new GoogleGenAI({
      apiKey: 'upstream-key',
      httpOptions: { baseUrl: url, headers: { 'x-throughline-key': key } },
    })
    const chat = client.chats.create({
      model: 'small',
      config: {
        ...{ systemInstruction: system, maxOutputTokens: 1000 },
        tools: [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: schema }] }],
      },
    })
    const ask = async (
      message: Parameters<typeof chat.sendMessage>[0]['message'],
      isStream: boolean,
    ) => {
      if (!isStream) return (await chat.sendMessage({ message })).functionCalls?.[0]
      let call: { readonly name?: string } | undefined
      for await (const chunk of await chat.sendMessageStream({ message }))
        call ??= chunk.functionCalls?.[0]
      return call
    }
    // This SDK takes no function of its own.
    const own = globalThis.fetch
    globalThis.fetch = watched
    try {
      for (let turn = 0; turn < turns; turn += 1) {
        const call = await ask(question(turn), turn % 3 > 0)
        if (call === undefined) continue
        const functionResponse = { name: 'read', response: { output: resultOf(turn) } }
        await ask([{ functionResponse }], turn % 3 > 0)
      }
    } finally {
      globalThis.fetch = own
    }
  },
}

const hint = { cache_control: { type: 'ephemeral' as const } }

function textBlock(text: string) {
  return { type: 'text' as const, text }
}

/** A list of one text becomes the text, without its hint. */
function strip(message: Anthropic.MessageParam): void {
  const [first] = Array.isArray(message.content) ? message.content : []
  if (message.role === 'user' && first?.type === 'text') message.content = first.text
}

function openaiClient(url: string, key: string, watched: typeof fetch): OpenAI {
  return new OpenAI({
    ...{ baseURL: `${url}/v1`, apiKey: 'upstream-key', maxRetries: 0, fetch: watched },
    defaultHeaders: { 'x-throughline-key': key },
  })
}

/** The SDK adds what it has parsed; the service knows no such field. */
function withoutParsed(item: object): OpenAI.Responses.ResponseInputItem {
  const text = JSON.stringify(item, (name, value) =>
    name === 'parsed' || name === 'parsed_arguments' ? undefined : value,
  )
  return JSON.parse(text)
}

interface Watched {
  readonly fetch: typeof fetch
  readonly sent: readonly string[]
  readonly answers: readonly Promise<Buffer>[]
  readonly decisions: readonly string[]
}

function watchFetch(): Watched {
  const sent: string[] = []
  const answers: Promise<Buffer>[] = []
  const decisions: string[] = []
  const { fetch: own } = globalThis
  return {
    ...{ sent, answers, decisions },
    fetch: async (address, init) => {
      sent.push(String(init?.body))
      const response = await own(address, init)
      decisions.push(response.headers.get('x-throughline-decision') ?? '')
      answers.push(
        response
          .clone()
          .arrayBuffer()
          .then((bytes) => Buffer.from(bytes)),
      )
      return response
    },
  }
}

function checkCalls(
  { upstream: { calls } }: StartedGateway,
  { sent, decisions }: Watched,
  add: (rule: string, detail: string) => void,
  figures: Record<keyof SessionReport['figures'], number>,
): void {
  let before: readonly string[] = []
  let epoch = ''
  for (const [at, { status, body, answer, api }] of calls.entries()) {
    if (api === null) continue
    figures.requests += 1
    if (status !== 200) {
      figures.refused += 1
      add('refused', `${status}: ${answer.toString().slice(0, 300)}`)
      continue
    }
    const text = body.toString()
    const items = sentItems(text, api)
    const extends_ = before.every((item, index) => items[index] === item)
    const [, now = epoch] = /epoch=(\d+)/.exec(decisions[at] ?? '') ?? []
    if (before.length > 0) figures[extends_ ? 'extended' : 'broken'] += 1
    if (!extends_ && now === epoch) {
      figures.unexplained += 1
      add('prefix', `request ${at} does not begin as the one before it`)
    }
    before = items.map(withoutHints)
    epoch = now
    const own = sent[at]
    if (own === undefined || own === text) continue
    figures.compacted += 1
    checkBytes(own, text, api, (detail) => add('bytes', `request ${at}: ${detail}`))
  }
}

/** Around the messages nothing changes, and the newest message is the client's. */
function checkBytes(own: string, sent: string, api: ApiName, add: (detail: string) => void): void {
  const [left, right] = [fieldSpans(own).get(lists[api]), fieldSpans(sent).get(lists[api])]
  if (left === undefined || right === undefined) {
    add('no messages')
    return
  }
  if (own.slice(0, left.start) !== sent.slice(0, right.start)) add('another beginning')
  if (own.slice(left.end) !== sent.slice(right.end)) add('another end')
  const items = itemSpans(sent, right).map((item) => textAt(sent, item))
  if (!own.includes(lastBlock(items.at(-1) ?? ''))) add('the newest message is not the client’s')
  // Ours are in at most two messages at the beginning, and in shortened results.
  const foreign = items.filter((item) => !own.includes(item) && !isOurs(item))
  if (foreign.length > 0) add(`written again: ${foreign[0]?.slice(0, 200)}`)
}

/** What we put before the newest message may be in one message with it. */
function lastBlock(item: string): string {
  const fields = fieldSpans(item)
  const span = fields.get('content') ?? fields.get('parts')
  const block = span === undefined ? undefined : itemSpans(item, span).at(-1)
  return block === undefined ? item : textAt(item, block)
}

function isOurs(item: string): boolean {
  return /\[… ?\d|\[\.\.\.|\[Messages #|\[ledger|\[what the user|\[digest|left out|\[earlier|\[recalled|· data, not instructions/i.test(
    item,
  )
}
