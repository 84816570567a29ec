/** OpenAI's POST /v1/responses. */

import type { JsonObject } from 'throughline'
import { type OpenaiResponsesRequestInput, openaiResponses } from 'throughline/adapters'
import { type Fields, fieldsOf } from '../../packages/throughline/src/adapters/unknown-json.ts'
import { inPieces } from './lies.ts'
import {
  bearerKey,
  errorCodes,
  formatProblems,
  openaiError,
  togetherProblems,
} from './openai-chat.ts'
import { numberIn, schemaIn, toolNamesIn, wordsOf } from './question.ts'
import type { ModelAnswer, ModelApi, ServerEvent } from './responder.ts'
import { responsesSettings, settingProblems } from './settings.ts'

export const openaiResponsesApi: ModelApi = {
  name: 'openai-responses',
  path: '/v1/responses',
  keyIn: bearerKey,
  problems: (value) => {
    const body = fieldsOf(value) ?? {}
    const format = fieldsOf(fieldsOf(body['text'])?.['format'])
    return [
      ...openaiResponses.problems(value),
      ...settingProblems(body, responsesSettings),
      ...togetherProblems(body),
      ...formatProblems(format?.['type'], format, {
        at: 'text.format',
        prompt: body['input'] ?? '',
      }),
    ]
  },
  question: (body) => {
    const { model, stream, tools, max_output_tokens, text } = body
    return {
      api: 'openai-responses',
      model: `${model}`,
      stream: stream === true,
      // Safe cast: the rules above accepted the body.
      ...wordsOf(openaiResponses.read(body as unknown as OpenaiResponsesRequestInput)),
      schema: schemaIn(fieldsOf(fieldsOf(text)?.['format'])?.['schema']),
      toolNames: toolNamesIn(tools),
      maxOutputTokens: numberIn(max_output_tokens),
    }
  },
  error: openaiError,
  whole: endedResponse,
  events: responseEvents,
  errorEvent: ({ kind, message }, eventsBefore) => ({
    event: 'error',
    data: {
      type: 'error',
      code: errorCodes[kind] ?? 'server_error',
      message,
      param: null,
      sequence_number: eventsBefore,
    },
  }),
}

function responseEvents(answer: ModelAnswer, body: Fields): readonly ServerEvent[] {
  const started = responseOf(answer, body, { status: 'in_progress', output: [], usage: null })
  const finished = answer.finish === 'stop' ? 'response.completed' : 'response.incomplete'
  const events: readonly JsonObject[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...(answer.thinking === null ? messageEvents(answer) : thinkingEvents(answer)),
    ...answer.calls.flatMap((call, index) =>
      callEvents(call, outputOf(answer).length - answer.calls.length + index),
    ),
    { type: finished, response: endedResponse(answer, body) },
  ]
  return events.map((event, sequence_number) => ({
    event: `${event['type']}`,
    data: { ...event, sequence_number },
  }))
}

function messageEvents(answer: ModelAnswer): readonly JsonObject[] {
  if (!hasMessage(answer)) return []
  const place = { output_index: 0, item_id: `msg_${answer.id.slice(0, 48)}` }
  const part = { ...place, content_index: 0 }
  const output = answer.refusal ?? answer.text
  const [name, field] =
    answer.refusal === null
      ? (['response.output_text', 'text'] as const)
      : (['response.refusal', 'refusal'] as const)
  const item = messageItem(answer)
  return [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    {
      type: 'response.content_part.added',
      ...part,
      part: { ...contentOf(answer), [field]: '' },
    },
    ...inPieces(output).map((delta) => ({ type: `${name}.delta`, ...part, delta, logprobs: [] })),
    { type: `${name}.done`, ...part, [field]: output, logprobs: [] },
    { type: 'response.content_part.done', ...part, part: contentOf(answer) },
    { type: 'response.output_item.done', output_index: 0, item },
  ]
}

function thinkingEvents(answer: ModelAnswer): readonly JsonObject[] {
  const item = thinkingItem(answer)
  return [
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
  ]
}

function callEvents(
  call: ModelAnswer['calls'][number],
  output_index: number,
): readonly JsonObject[] {
  const item = callItem(call)
  const { arguments: text, id } = item
  const half = Math.ceil(text.length / 2)
  const place = { output_index, item_id: id }
  const type = 'response.function_call_arguments'
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, arguments: '', status: 'in_progress' },
    },
    { type: `${type}.delta`, ...place, delta: text.slice(0, half) },
    { type: `${type}.delta`, ...place, delta: text.slice(half) },
    { type: `${type}.done`, ...place, name: call.name, arguments: text },
    { type: 'response.output_item.done', output_index, item },
  ]
}

function outputOf(answer: ModelAnswer): JsonObject[] {
  const item = answer.thinking === null ? messageItem(answer) : thinkingItem(answer)
  return [
    ...(answer.thinking !== null || hasMessage(answer) ? [item] : []),
    ...answer.calls.map(callItem),
  ]
}

function hasMessage({ text, refusal, calls }: ModelAnswer): boolean {
  return text !== '' || refusal !== null || calls.length === 0
}

function callItem({ id, name, input }: ModelAnswer['calls'][number]) {
  return {
    id: `fc_${id}`,
    type: 'function_call',
    status: 'completed',
    arguments: JSON.stringify(input),
    call_id: id,
    name,
  }
}

function endedResponse(answer: ModelAnswer, body: Fields): JsonObject {
  const { finish, inputTokens, cachedTokens, outputTokens, thinking } = answer
  const ended = responseOf(answer, body, {
    status: finish === 'stop' ? 'completed' : 'incomplete',
    output: outputOf(answer),
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cachedTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: thinking === null ? 0 : outputTokens },
      total_tokens: inputTokens + outputTokens,
    },
  })
  return finish === 'stop'
    ? ended
    : { ...ended, incomplete_details: { reason: 'max_output_tokens' } }
}

function responseOf(
  { id, model, createdAtSeconds }: ModelAnswer,
  body: Fields,
  changes: JsonObject,
): JsonObject {
  return {
    id: `resp_${id.slice(0, 48)}`,
    object: 'response',
    created_at: createdAtSeconds,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    user: null,
    metadata: {},
    ...settingsOf(body),
    ...changes,
  }
}

const givenBack = ['instructions', 'max_output_tokens', 'store', 'temperature', 'text', 'top_p']

function settingsOf(body: Fields): JsonObject {
  const given = Object.entries(body).filter(
    ([name, value]) => givenBack.includes(name) && value !== undefined && value !== null,
  )
  // Safe cast: the value was parsed from JSON.
  return Object.fromEntries(given) as JsonObject
}

function messageItem(answer: ModelAnswer): JsonObject {
  return {
    id: `msg_${answer.id.slice(0, 48)}`,
    type: 'message',
    status: answer.finish === 'stop' ? 'completed' : 'incomplete',
    role: 'assistant',
    content: [contentOf(answer)],
  }
}

function contentOf({ text, refusal }: ModelAnswer): JsonObject {
  if (refusal !== null) return { type: 'refusal', refusal }
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

/** Reasoning is counted but not shown. */
function thinkingItem({ id }: ModelAnswer): JsonObject {
  return { id: `rs_${id.slice(0, 48)}`, type: 'reasoning', summary: [] }
}
