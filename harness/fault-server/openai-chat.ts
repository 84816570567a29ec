/** OpenAI's POST /v1/chat/completions. */
import type { JsonObject, JsonValue, RequestProblem } from 'throughline'
import { type OpenaiChatRequestInput, openaiChat } from 'throughline/adapters'
import {
  type Fields,
  fieldsOf,
  isObject,
} from '../../packages/throughline/src/adapters/unknown-json.ts'
import { inPieces } from './lies.ts'
import { numberIn, schemaIn, toolNamesIn, wordsOf } from './question.ts'
import { answerSchemaProblems, openaiStrict } from './refusal.ts'
import type { ModelAnswer, ModelApi, SentHeaders, ServerEvent, ServiceError } from './responder.ts'
import { chatSettings, settingProblems } from './settings.ts'

export const openaiChatApi: ModelApi = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  keyIn: bearerKey,
  problems: (body) => [...openaiChat.problems(body), ...fieldProblems(fieldsOf(body) ?? {})],
  question: (body) => {
    const { model, stream, tools, max_tokens, max_completion_tokens, response_format } = body
    return {
      api: 'openai-chat',
      model: `${model}`,
      stream: stream === true,
      // Safe cast: the rules above accepted the body.
      ...wordsOf(openaiChat.read(body as unknown as OpenaiChatRequestInput)),
      schema: schemaIn(fieldsOf(fieldsOf(response_format)?.['json_schema'])?.['schema']),
      toolNames: toolNamesIn(tools),
      maxOutputTokens: numberIn(max_completion_tokens, max_tokens),
    }
  },
  error: openaiError,
  whole: (answer) => ({
    ...head(answer, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { ...messageOf(answer), annotations: [] },
        logprobs: null,
        finish_reason: finishOf(answer),
      },
    ],
    usage: usageOf(answer),
  }),
  events: chatEvents,
  errorEvent: (error) => ({ event: null, data: openaiError(error) }),
}

function fieldProblems(body: Fields) {
  const { max_tokens, max_completion_tokens, response_format, messages } = body
  const format = fieldsOf(response_format)
  return [
    ...settingProblems(body, chatSettings),
    ...togetherProblems(body),
    ...(numberIn(max_tokens) !== null && numberIn(max_completion_tokens) !== null
      ? [
          {
            rule: 'fields-together',
            at: 'max_tokens',
            message: 'conflicts with max_completion_tokens',
          },
        ]
      : []),
    ...formatProblems(format?.['type'], fieldsOf(format?.['json_schema']), {
      at: 'response_format',
      prompt: messages ?? [],
    }),
  ]
}

function chatEvents(answer: ModelAnswer, body: Fields): readonly ServerEvent[] {
  // Usage is sent only if it was requested.
  const counted = fieldsOf(body['stream_options'])?.['include_usage'] === true
  const event = (delta: JsonObject, finish: string | null = null): ServerEvent => ({
    event: null,
    data: {
      ...head(answer, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(counted ? { usage: null } : {}),
    },
  })
  const field = answer.refusal === null ? 'content' : 'refusal'
  return [
    event({ role: 'assistant', content: answer.refusal === null ? '' : null, refusal: null }),
    ...inPieces(answer.refusal ?? answer.text).map((piece) => event({ [field]: piece })),
    ...answer.calls.flatMap((call, index) => {
      const { function: made, ...fields } = callOf(call)
      const half = Math.ceil(made.arguments.length / 2)
      const [first, second] = [made.arguments.slice(0, half), made.arguments.slice(half)]
      return [
        event({ tool_calls: [{ index, ...fields, function: { ...made, arguments: first } }] }),
        event({ tool_calls: [{ index, function: { arguments: second } }] }),
      ]
    }),
    event({}, finishOf(answer)),
    ...(counted ? [usageEvent(answer)] : []),
    { event: null, data: '[DONE]' },
  ]
}

function usageEvent(answer: ModelAnswer): ServerEvent {
  const data = { ...head(answer, 'chat.completion.chunk'), choices: [], usage: usageOf(answer) }
  return { event: null, data }
}

function head({ id, model, createdAtSeconds }: ModelAnswer, object: string): JsonObject {
  return {
    id: `chatcmpl-${id.slice(0, 29)}`,
    object,
    created: createdAtSeconds,
    model,
    service_tier: 'default',
    system_fingerprint: `fp_${id.slice(0, 10)}`,
  }
}

/** Reasoning is counted but not shown. */
function messageOf({ text, refusal, calls }: ModelAnswer): JsonObject {
  const hasText = refusal === null && (text !== '' || calls.length === 0)
  const called = calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }
  return { role: 'assistant', content: hasText ? text : null, refusal, ...called }
}

function callOf({ id, name, input }: ModelAnswer['calls'][number]) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

function finishOf({ finish, calls }: ModelAnswer): string {
  return calls.length === 0 ? finish : 'tool_calls'
}

function usageOf({ inputTokens, cachedTokens, outputTokens, thinking }: ModelAnswer): JsonValue {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: thinking === null ? 0 : outputTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

/** Shared by both OpenAI APIs: keys, errors, and rules for settings that depend on each other. */
export function bearerKey(headers: SentHeaders): string | null {
  return /^Bearer (\S+)$/.exec(headers['authorization'] ?? '')?.[1] ?? null
}

export function openaiError({ kind, message, at }: ServiceError): JsonObject {
  return { error: { message, type: errorTypes[kind], param: at, code: errorCodes[kind] } }
}

const errorTypes: Readonly<Record<ServiceError['kind'], string>> = {
  invalid: 'invalid_request_error',
  authentication: 'invalid_request_error',
  'not-found': 'invalid_request_error',
  'model-not-found': 'invalid_request_error',
  'too-large': 'invalid_request_error',
  'rate-limit': 'requests',
  server: 'server_error',
  overloaded: 'server_error',
}

export const errorCodes: Readonly<Record<ServiceError['kind'], string | null>> = {
  invalid: null,
  authentication: 'invalid_api_key',
  'not-found': null,
  'model-not-found': 'model_not_found',
  'too-large': null,
  'rate-limit': 'rate_limit_exceeded',
  server: null,
  overloaded: null,
}

export function togetherProblems(body: Fields): readonly RequestProblem[] {
  const rule = 'fields-together'
  const { stream, stream_options, tools, tool_choice } = body
  return [
    ...(isObject(stream_options) && stream !== true
      ? [{ rule, at: 'stream_options', message: 'is only allowed when stream is enabled' }]
      : []),
    ...(isSet(tool_choice) && tool_choice !== 'none' && !isSet(tools)
      ? [{ rule, at: 'tool_choice', message: 'is only allowed when tools are specified' }]
      : []),
  ]
}

/** `format` holds name and schema; `prompt` must contain the word JSON. */
export function formatProblems(
  type: unknown,
  format: Fields | null,
  { at, prompt }: { readonly at: string; readonly prompt: unknown },
): readonly RequestProblem[] {
  const rule = 'answer-format'
  if (type === undefined || type === 'text') return []
  if (type === 'json_object')
    return /json/i.test(JSON.stringify(prompt))
      ? []
      : [{ rule, at, message: "requires messages that contain the word 'json'" }]
  if (type !== 'json_schema')
    return [{ rule, at: `${at}.type`, message: 'must be text, json_object or json_schema' }]
  const named = /^[a-zA-Z0-9_-]{1,64}$/.test(`${format?.['name'] ?? ''}`)
  return [
    ...(named
      ? []
      : [{ rule, at: `${at}.name`, message: 'must be 1 to 64 letters, digits, _, -' }]),
    ...(format?.['strict'] === true
      ? answerSchemaProblems(format['schema'], `${at}.schema`, openaiStrict)
      : []),
  ]
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}
