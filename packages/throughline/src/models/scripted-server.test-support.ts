/**
 * A provider on loopback that plays the script of a test, in the streams of OpenAI's chat and
 * of Anthropic's messages.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

export interface ScriptedServer {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Connections that the client closed early. */
  readonly closedEarly: () => number
  /** Answers for the next requests; the last one repeats. */
  script(...answers: readonly Answer[]): void
  close(): Promise<void>
}

export type Answer = (response: ServerResponse, asked: Asked) => void

export async function startScriptedServer(): Promise<ScriptedServer> {
  const asked: Asked[] = []
  let answers: readonly Answer[] = []
  let early = 0
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) early += 1
    })
    let text = ''
    for await (const chunk of request) text += chunk
    const one = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) }
    asked.push(one)
    const [answer, ...others] = answers
    if (others.length > 0) answers = others
    answer?.(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    closedEarly: () => early,
    script: (...given) => {
      answers = given
      asked.length = 0
      early = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

/** Events as given, and the end of the response. */
export const events =
  (...data: readonly unknown[]): Answer =>
  (response) => {
    beginEvents(response)
    for (const event of data) response.write(eventText(event))
    response.end()
  }

export function eventText(event: unknown): string {
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`
}

export function chatDelta(content: string, finish: string | null = null): object {
  const choices = [{ index: 0, delta: { content }, finish_reason: finish }]
  return { id: 'c1', created: 0, model: 'gpt-4.1-mini-2025-04-14', choices }
}

export const chatUsage = {
  id: 'c1',
  created: 0,
  model: 'gpt-4.1-mini-2025-04-14',
  choices: [],
  usage: {
    prompt_tokens: 1_000,
    completion_tokens: 50,
    prompt_tokens_details: { cached_tokens: 400 },
  },
}

export const chatAnswer = (text: string, finish = 'stop'): Answer =>
  events(chatDelta(text), chatDelta('', finish), chatUsage, '[DONE]')

/** Events of Anthropic's messages: blocks, then the end. */
export function anthropicEvents(
  blocks: readonly { readonly thinking: boolean; readonly text: string }[],
  stopReason: string,
): readonly object[] {
  const message = {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5-20251001',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 30,
      cache_creation_input_tokens: 20,
      output_tokens: 1,
    },
  }
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(({ thinking, text }, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: thinking
          ? { type: 'thinking', thinking: '', signature: '' }
          : { type: 'text', text: '' },
      },
      {
        type: 'content_block_delta',
        index,
        delta: thinking ? { type: 'thinking_delta', thinking: text } : { type: 'text_delta', text },
      },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 40 },
    },
    { type: 'message_stop' },
  ]
}
