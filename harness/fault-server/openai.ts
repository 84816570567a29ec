/** What both of OpenAI's APIs share: keys, errors, and rules for settings that go together. */

import type { JsonObject, RequestProblem } from 'throughline'
import { type Fields, isFields } from '../../packages/throughline/src/adapters/unknown-json.ts'
import type { SentHeaders, ServiceError } from './api.ts'
import { answerSchemaProblems, openaiStrict } from './schema.ts'

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
    ...(isFields(stream_options) && stream !== true
      ? [{ rule, at: 'stream_options', message: 'is only allowed when stream is enabled' }]
      : []),
    ...(isSet(tool_choice) && tool_choice !== 'none' && !isSet(tools)
      ? [{ rule, at: 'tool_choice', message: 'is only allowed when tools are specified' }]
      : []),
  ]
}

/** `format` holds name and schema; `said` is where the word JSON has to stand. */
export function formatProblems(
  type: unknown,
  format: Fields | null,
  { at, said }: { readonly at: string; readonly said: unknown },
): readonly RequestProblem[] {
  const rule = 'answer-format'
  if (type === undefined || type === 'text') return []
  if (type === 'json_object')
    return /json/i.test(JSON.stringify(said))
      ? []
      : [{ rule, at, message: "must go with messages that contain the word 'json'" }]
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
