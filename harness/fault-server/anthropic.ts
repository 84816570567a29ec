/** Anthropic's POST /v1/messages. */

import type { JsonObject, RequestProblem } from 'throughline'
import { anthropicMessages } from 'throughline/adapters'
import {
  type Fields,
  fieldsOf,
  isFilled,
} from '../../packages/throughline/src/adapters/unknown-json.ts'
import { inPieces } from './lies.ts'
import { bearerKey } from './openai-chat.ts'
import { numberIn, schemaIn, toolNamesIn, wordsOf } from './question.ts'
import { answerSchemaProblems, anthropicFormat } from './refusal.ts'
import type { ModelAnswer, ModelApi, SentHeaders, ServerEvent, ServiceError } from './responder.ts'
import { messagesSettings, settingProblems } from './settings.ts'

export const anthropicApi: ModelApi = {
  name: 'anthropic-messages',
  path: '/v1/messages',
  // The current client sends its key as a bearer token.
  keyIn: (headers) => headers['x-api-key'] ?? bearerKey(headers),
  problems: (value, headers) => {
    const body = fieldsOf(value) ?? {}
    return [
      ...headerProblems(headers),
      ...anthropicMessages.problems(value),
      ...settingProblems(body, messagesSettings),
      ...thinkingProblems(body),
      ...formatProblems(body),
    ]
  },
  question: (body) => ({
    api: 'anthropic-messages',
    model: `${body['model']}`,
    stream: body['stream'] === true,
    // Safe cast: the rules above accepted the body.
    ...wordsOf(anthropicMessages.read(body as unknown as AnthropicBody)),
    schema: schemaIn(formatIn(body)?.['schema']),
    toolNames: toolNamesIn(body['tools']),
    maxOutputTokens: numberIn(body['max_tokens']),
  }),
  error: anthropicError,
  whole: (answer) => ({
    ...messageOf(answer),
    content: blocksOf(answer),
    stop_reason: stopReason(answer),
  }),
  events: messageEvents,
  errorEvent: (error) => ({ event: 'error', data: anthropicError(error) }),
}

type AnthropicBody = Parameters<typeof anthropicMessages.read>[0]

function anthropicError({ kind, message, at }: ServiceError): JsonObject {
  const text = at === null ? message : `${at}: ${message}`
  return { type: 'error', error: { type: errorTypes[kind], message: text }, request_id: 'req_0' }
}

const errorTypes: Readonly<Record<ServiceError['kind'], string>> = {
  invalid: 'invalid_request_error',
  authentication: 'authentication_error',
  'not-found': 'not_found_error',
  'model-not-found': 'not_found_error',
  'too-large': 'request_too_large',
  'rate-limit': 'rate_limit_error',
  server: 'api_error',
  overloaded: 'overloaded_error',
}

function headerProblems(headers: SentHeaders): readonly RequestProblem[] {
  if (isFilled(headers['anthropic-version'])) return []
  return [{ rule: 'version', at: 'anthropic-version', message: 'header is required' }]
}

function thinkingProblems(body: Fields): readonly RequestProblem[] {
  const thinking = fieldsOf(body['thinking'])
  if (thinking?.['type'] !== 'enabled') return []
  const rule = 'thinking'
  const budget = numberIn(thinking['budget_tokens']) ?? 0
  const most = numberIn(body['max_tokens']) ?? 0
  const at = 'thinking.budget_tokens'
  return [
    ...(budget < 1024 ? [{ rule, at, message: 'must be at least 1024' }] : []),
    ...(budget >= most ? [{ rule, at, message: 'must be below max_tokens' }] : []),
    ...((body['temperature'] ?? 1) === 1
      ? []
      : [{ rule, at: 'temperature', message: 'must be 1 with thinking' }]),
  ]
}

function formatProblems(body: Fields): readonly RequestProblem[] {
  const format = formatIn(body)
  const at = 'output_config.format'
  if (format === null) return []
  if (format['type'] !== 'json_schema')
    return [{ rule: 'answer-format', at: `${at}.type`, message: 'must be json_schema' }]
  return answerSchemaProblems(format['schema'], `${at}.schema`, anthropicFormat)
}

function formatIn(body: Fields): Fields | null {
  return fieldsOf(fieldsOf(body['output_config'])?.['format'])
}

function messageEvents(answer: ModelAnswer): readonly ServerEvent[] {
  const started = { ...messageOf(answer), content: [], stop_reason: null }
  const events: readonly JsonObject[] = [
    {
      type: 'message_start',
      message: { ...started, usage: usageOf({ ...answer, outputTokens: 1 }) },
    },
    ...blockEvents(answer),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: usageOf(answer),
    },
    { type: 'message_stop' },
  ]
  return events.map((event) => ({ event: `${event['type']}`, data: event }))
}

function blockEvents(answer: ModelAnswer): readonly JsonObject[] {
  const blocks = blocksOf(answer)
  const ping = { type: 'ping' }
  const called = answer.calls.flatMap((call, index) =>
    callEvents(call, blocks.length - answer.calls.length + index),
  )
  if (blocks.length === answer.calls.length) return [ping, ...called]
  const place = { index: 0 }
  const delta = (change: JsonObject) => ({ type: 'content_block_delta', ...place, delta: change })
  const empty: JsonObject =
    answer.thinking === null
      ? { type: 'text', text: '' }
      : { type: 'thinking', thinking: '', signature: '' }
  const pieces =
    answer.thinking === null
      ? inPieces(answer.text).map((text) => delta({ type: 'text_delta', text }))
      : [
          ...inPieces(answer.thinking).map((thinking) =>
            delta({ type: 'thinking_delta', thinking }),
          ),
          delta({ type: 'signature_delta', signature: answer.id }),
        ]
  return [
    { type: 'content_block_start', ...place, content_block: empty },
    ping,
    ...pieces,
    { type: 'content_block_stop', ...place },
    ...called,
  ]
}

function callEvents({ id, name, input }: ModelAnswer['calls'][number], index: number) {
  const text = JSON.stringify(input)
  const half = Math.ceil(text.length / 2)
  return [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id, name, input: {} },
    },
    ...[text.slice(0, half), text.slice(half)].map((partial_json) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index },
  ]
}

function messageOf(answer: ModelAnswer): JsonObject {
  return {
    id: `msg_01${answer.id.slice(0, 22)}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    stop_sequence: null,
    usage: usageOf(answer),
  }
}

/** An empty answer or a refusal has no text block. */
function blocksOf({ id, text, thinking, refusal, calls }: ModelAnswer): readonly JsonObject[] {
  if (thinking !== null) return [{ type: 'thinking', thinking, signature: id }]
  const spoken = text === '' || refusal !== null ? [] : [{ type: 'text', text }]
  return [...spoken, ...calls.map((call) => ({ type: 'tool_use', ...call }))]
}

function stopReason({ finish, refusal, calls }: ModelAnswer): string {
  if (refusal !== null) return 'refusal'
  if (calls.length > 0) return 'tool_use'
  return finish === 'stop' ? 'end_turn' : 'max_tokens'
}

function usageOf({ inputTokens, cachedTokens, outputTokens }: ModelAnswer): JsonObject {
  return {
    input_tokens: inputTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
    service_tier: 'standard',
  }
}
