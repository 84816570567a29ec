/**
 * A strict HTTP server that speaks OpenAI's chat format. It refuses a request that breaks a rule of
 * the format with 422, and one longer than the window with OpenAI's own error. A script supplies the
 * answers.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as o200k from 'gpt-tokenizer/encoding/o200k_base'
import { openaiChatProblems } from 'throughline/testing'

interface ChatBody {
  readonly stream?: boolean
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly unknown[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
}

interface ChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly unknown[]
  readonly tool_call_id?: string
}

export interface Served {
  /** The name that the client sent in the header `x-script`. */
  readonly script: string
  readonly body: ChatBody
  readonly tokens: number
  /** Status of the answer: 200, 400 if the request is too long, 422 if it breaks a rule. */
  readonly status: number
  readonly problems: readonly string[]
}

export interface ModelServer {
  readonly url: string
  readonly served: readonly Served[]
  close(): Promise<void>
}

/** The reply to the `turn`th accepted request of a script: 0, 1, … */
type Script = (turn: number, body: ChatBody) => ScriptedReply

export async function startModelServer(options: {
  readonly windowTokens: number
  readonly script: Script
}): Promise<ModelServer> {
  const served: Served[] = []
  const turns = new Map<string, number>()
  const answer = (script: string, body: ChatBody, response: ServerResponse) => {
    const tokens = countTokens(body)
    const problems = openaiChatProblems(body).map(({ at, message }) => `${at} ${message}`)
    // The reply must fit into the window too.
    const replyTokens = body.max_completion_tokens ?? body.max_tokens ?? 0
    const tooLong = tokens + replyTokens > options.windowTokens
    const status = problems.length > 0 ? 422 : tooLong ? 400 : 200
    served.push({ script, body, tokens, status, problems })
    if (status !== 200) {
      sendJson(response, status, { error: errorOf(problems, tokens, options.windowTokens) })
      return
    }
    const turn = turns.get(script) ?? 0
    turns.set(script, turn + 1)
    send(response, options.script(turn, body), { stream: body.stream === true, tokens })
  }
  const server = createServer((request, response) => {
    readJson(request).then(
      (body) => answer(`${request.headers['x-script'] ?? ''}`, body as ChatBody, response),
      () => sendJson(response, 400, { error: { message: 'The body is not JSON.' } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    served,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

/** Counts the JSON as one text, which is more than any provider counts. */
function countTokens({ messages, tools }: ChatBody): number {
  return o200k.countTokens(JSON.stringify({ messages, tools }), asPlainText)
}

function errorOf(problems: readonly string[], tokens: number, windowTokens: number): object {
  const type = 'invalid_request_error'
  if (problems.length > 0) return { type, message: problems.join('; '), code: null }
  const message = `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
  return { type, message, param: 'messages', code: 'context_length_exceeded' }
}

function send(
  response: ServerResponse,
  reply: ScriptedReply,
  { stream, tokens }: { readonly stream: boolean; readonly tokens: number },
): void {
  if ('error' in reply) {
    sendJson(response, reply.status, { error: reply.error })
    return
  }
  if (!stream) {
    sendJson(response, 200, chatReply(reply, tokens))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const events = chatEvents(reply, tokens)
  const cutAfter = reply.cutAfterEvents ?? events.length
  for (const event of events.slice(0, cutAfter))
    response.write(`data: ${JSON.stringify(event)}\n\n`)
  // The client decides when to give up on a connection that stays open.
  if (reply.hangs === true) return
  if (cutAfter < events.length) setImmediate(() => response.destroy())
  else response.end('data: [DONE]\n\n')
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** A scripted reply in OpenAI's chat format: whole, and as stream events. */
export type ScriptedReply =
  | {
      readonly text?: string
      readonly calls?: readonly ScriptedCall[]
      /** The connection is lost after this many stream events. */
      readonly cutAfterEvents?: number
      /** The connection stays open after the last event. */
      readonly hangs?: boolean
    }
  | { readonly status: number; readonly error: object }

interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly input: object
}

type TextReply = Exclude<ScriptedReply, { readonly error: object }>

function chatReply({ text, calls = [] }: TextReply, promptTokens: number): object {
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
  }
  const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls'
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason }],
    usage: usageOf(promptTokens),
  }
}

/** One event per word; the arguments of each call in two halves. */
function chatEvents({ text = '', calls = [] }: TextReply, promptTokens: number): readonly object[] {
  const words = text === '' ? [] : text.split(/(?<= )/)
  return [
    event({ role: 'assistant', content: '' }),
    ...words.map((content) => event({ content })),
    ...calls.flatMap((call, index) => {
      const { function: made, ...fields } = callOf(call)
      const half = Math.ceil(made.arguments.length / 2)
      const [first, second] = [made.arguments.slice(0, half), made.arguments.slice(half)]
      return [
        event({ tool_calls: [{ index, ...fields, function: { ...made, arguments: first } }] }),
        event({ tool_calls: [{ index, function: { arguments: second } }] }),
      ]
    }),
    event({}, calls.length === 0 ? 'stop' : 'tool_calls'),
    { ...event({}), choices: [], usage: usageOf(promptTokens) },
  ]
}

function event(delta: object, finish_reason: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason }]
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices,
  }
}

function callOf({ id, name, input }: ScriptedCall) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

function usageOf(promptTokens: number): object {
  return { prompt_tokens: promptTokens, completion_tokens: 20, total_tokens: promptTokens + 20 }
}
