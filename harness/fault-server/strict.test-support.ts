/** Requests that a strict provider refuses, each with one fault, and a check which are accepted. */
import type { ModelApiName } from './responder.ts'

type Body = Readonly<Record<string, unknown>>

export interface RawRequest {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

export interface WrongRequest extends RawRequest {
  readonly status: number
}

const question = { role: 'user', content: 'What is the port?' }

const valid: Readonly<Record<ModelApiName, RawRequest>> = {
  'openai-chat': {
    name: 'openai-chat',
    method: 'POST',
    path: '/chat/completions',
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
    body: JSON.stringify({ model: 'any-model', messages: [question] }),
  },
  'openai-responses': {
    name: 'openai-responses',
    method: 'POST',
    path: '/responses',
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
    body: JSON.stringify({ model: 'any-model', input: [question] }),
  },
  'anthropic-messages': {
    name: 'anthropic-messages',
    method: 'POST',
    path: '/messages',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'test-key',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({ model: 'any-model', max_tokens: 64, messages: [question] }),
  },
}

export const validRequests: readonly RawRequest[] = Object.values(valid)

const openObject = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const closed = { ...openObject, additionalProperties: false }
const optional = { ...closed, required: [] }
const long = { ...closed, properties: { text: { type: 'string', maxLength: 9 } } }
const inner = { ...closed, properties: { text: { type: 'array', items: openObject } } }

export const validFormats: readonly RawRequest[] = [
  ...[chatFormat(closed), responsesFormat(closed), anthropicFormat(closed)],
  anthropicFormat(optional),
]

export const wrongRequests: readonly WrongRequest[] = [
  ...validRequests.flatMap((request) => wrongEverywhere(request)),
  ...(['openai-chat', 'openai-responses'] as const).flatMap(wrongForOpenai),
  ...wrongForAnthropic(),
  ...[openObject, optional, long, inner].flatMap((schema, index) => [
    wrong(chatFormat(schema), `schema ${index}`, {}),
    wrong(responsesFormat(schema), `schema ${index}`, {}),
  ]),
  ...[openObject, long, inner].map((schema, index) =>
    wrong(anthropicFormat(schema), `schema ${index}`, {}),
  ),
]

/** The names of requests that were not refused with the expected status. */
export async function takenBy(url: string): Promise<readonly string[]> {
  const statuses = await Promise.all(wrongRequests.map((request) => statusOf(url, request)))
  return wrongRequests
    .filter((request, index) => statuses[index] !== request.status)
    .map(({ name }) => name)
}

export async function statusOf(url: string, request: RawRequest): Promise<number> {
  const { method, path, headers, body } = request
  const response = await fetch(`${url}${path}`, { method, headers, body })
  await response.arrayBuffer()
  return response.status
}

function wrong(request: RawRequest, what: string, change: Body, status = 400): WrongRequest {
  const body = JSON.stringify({ ...JSON.parse(`${request.body}`), ...change })
  return { ...request, name: `${request.name}: ${what}`, body, status }
}

function wrongEverywhere(request: RawRequest): readonly WrongRequest[] {
  const { authorization, 'x-api-key': key, ...anonymous } = request.headers
  const named = (what: string, status: number, change: Partial<RawRequest>): WrongRequest => ({
    ...request,
    ...change,
    name: `${request.name}: ${what}`,
    status,
  })
  const other = authorization === undefined ? { 'x-api-key': 'no' } : { authorization: 'Bearer no' }
  return [
    named('no key', 401, { headers: anonymous }),
    named('wrong key', 401, { headers: { ...anonymous, ...other } }),
    named('unknown path', 404, { path: `${request.path}/unknown` }),
    named('wrong method', 405, { method: 'GET', body: null }),
    named('no JSON', 400, { body: '{"model":' }),
    named('a list', 400, { body: '[]' }),
    named('another content type', 400, {
      headers: { ...request.headers, 'content-type': 'text/plain' },
    }),
    wrong(request, 'no model', { model: undefined }),
    wrong(request, 'empty model', { model: '' }),
    wrong(request, 'unknown field', { max_token: 5 }),
    wrong(request, 'temperature', { temperature: 2.5 }),
    wrong(request, 'temperature as text', { temperature: '0' }),
    wrong(request, 'stream as text', { stream: 'true' }),
    // Codex and Claude Code send an empty list, and their services take it.
    ...(['openai-responses', 'anthropic-messages'].includes(request.name)
      ? []
      : [wrong(request, 'empty tools', { tools: [] })]),
    wrong(request, 'half a surrogate pair', words(request, '\ud83d')),
    wrong(request, 'no message', words(request, [])),
  ]
}

function words({ name }: RawRequest, content: unknown): Body {
  return { [name === 'openai-responses' ? 'input' : 'messages']: [{ role: 'user', content }] }
}

function wrongForOpenai(api: 'openai-chat' | 'openai-responses'): readonly WrongRequest[] {
  const request = valid[api]
  const [list, limit] =
    api === 'openai-chat' ? ['messages', 'max_completion_tokens'] : ['input', 'max_output_tokens']
  const format = { type: 'json_object' }
  const asJson = api === 'openai-chat' ? { response_format: format } : { text: { format } }
  return [
    wrong(request, 'unknown role', { [list]: [{ role: 'someone', content: 'Hi.' }] }),
    wrong(request, 'no tokens', { [limit]: 0 }),
    wrong(request, 'stream options without a stream', { stream_options: {} }),
    wrong(request, 'tool choice without tools', { tool_choice: 'auto' }),
    wrong(request, 'JSON mode without the word JSON', asJson),
  ]
}

function wrongForAnthropic(): readonly WrongRequest[] {
  const request = valid['anthropic-messages']
  const { 'anthropic-version': version, ...headers } = request.headers
  return [
    { ...request, name: 'anthropic-messages: no version', headers, status: 400 },
    wrong(request, 'no limit', { max_tokens: undefined }),
    wrong(request, 'temperature above one', { temperature: 1.5 }),
    wrong(request, 'null', { system: null }),
    wrong(request, 'blank text', words(request, ' ')),
    wrong(request, 'system among the messages', { messages: [{ role: 'system', content: 'Hi.' }] }),
    wrong(request, 'two users', { messages: [question, question] }),
    wrong(request, 'thinking beyond the limit', {
      thinking: { type: 'enabled', budget_tokens: 2048 },
    }),
  ]
}

function chatFormat(schema: object): RawRequest {
  const json_schema = { name: 'summary', strict: true, schema }
  const request = valid['openai-chat']
  return wrong(request, 'format', { response_format: { type: 'json_schema', json_schema } }, 200)
}

function responsesFormat(schema: object): RawRequest {
  const format = { type: 'json_schema', name: 'summary', strict: true, schema }
  return wrong(valid['openai-responses'], 'format', { text: { format } }, 200)
}

function anthropicFormat(schema: object): RawRequest {
  const format = { type: 'json_schema', schema }
  return wrong(valid['anthropic-messages'], 'format', { output_config: { format } }, 200)
}
