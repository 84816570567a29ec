/** OpenAI's POST /v1/chat/completions. */

import type { JsonObject, JsonValue } from 'throughline'
import { type OpenaiChatRequest, openaiChat } from 'throughline/adapters'
import { type Fields, fieldsOf } from '../../packages/throughline/src/adapters/unknown-json.ts'
import type { ModelAnswer, ModelApi, ServerEvent } from './api.ts'
import { bearerKey, formatProblems, openaiError, togetherProblems } from './openai.ts'
import { numberIn, schemaIn, toolNamesIn, wordsOf } from './question.ts'
import { chatSettings, settingProblems } from './settings.ts'
import { inPieces } from './text.ts'

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
      // A border: its own rules had nothing against it.
      ...wordsOf(openaiChat.read(body as unknown as OpenaiChatRequest)),
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
        finish_reason: answer.finish,
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
      ? [{ rule: 'fields-together', at: 'max_tokens', message: 'has another name beside it' }]
      : []),
    ...formatProblems(format?.['type'], fieldsOf(format?.['json_schema']), {
      at: 'response_format',
      said: messages ?? [],
    }),
  ]
}

function chatEvents(answer: ModelAnswer, body: Fields): readonly ServerEvent[] {
  // Usage comes only where it was asked for.
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
    event({}, answer.finish),
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

/** Thoughts are counted, and not shown. */
function messageOf({ text, refusal }: ModelAnswer): JsonObject {
  return { role: 'assistant', content: refusal === null ? text : null, refusal }
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
