/**
 * What is refused before a model is asked, in the order in which services look: where it
 * goes, who asks, what it says. The first of it is answered.
 */

import type { JsonValue } from 'throughline'
import { fieldsOf } from '../../packages/throughline/src/adapters/unknown-json.ts'
import { anthropicApi } from './anthropic.ts'
import type { ModelApi, SentHeaders, ServiceError } from './api.ts'
import { openaiChatApi } from './openai-chat.ts'
import { openaiResponsesApi } from './openai-responses.ts'
import type { FaultServerOptions } from './options.ts'

export interface Incoming {
  readonly method: string
  readonly path: string
  readonly headers: SentHeaders
  /** Undefined where the body was longer than any service takes. */
  readonly text: string | undefined
  /** Undefined where the body is no JSON. */
  readonly body: JsonValue | undefined
}

const apis: readonly ModelApi[] = [openaiChatApi, openaiResponsesApi, anthropicApi]

export function apiAt(path: string): ModelApi | null {
  return apis.find((api) => api.path === path) ?? null
}

/** Whose words an error has that belongs to no path. */
export function apiLike(headers: SentHeaders): ModelApi {
  return headers['anthropic-version'] === undefined ? openaiChatApi : anthropicApi
}

/** Empty for a request that a model is asked. */
export function refusalsOf(
  incoming: Incoming,
  options: Pick<FaultServerOptions, 'apiKey' | 'models' | 'tools'>,
): readonly ServiceError[] {
  const { method, path, headers, text, body } = incoming
  const api = apiAt(path)
  if (api === null) return [refusal(404, 'not-found', `Invalid URL (${method} ${path})`)]
  if (method !== 'POST') return [refusal(405, 'invalid', `Not allowed to ${method} on ${path}.`)]
  const key = api.keyIn(headers)
  if (key !== (options.apiKey ?? defaultKey))
    return [refusal(401, 'authentication', key === null ? 'No API key provided.' : wrongKey)]
  if (text === undefined)
    return [refusal(413, 'too-large', 'Request exceeds the maximum allowed number of bytes.')]
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    return [refusal(400, 'invalid', 'content-type: must be application/json')]
  if (body === undefined) return [refusal(400, 'invalid', 'The body is not valid JSON.')]
  const problems = api
    .problems(body, headers)
    .map(({ at, message }) => ({ ...refusal(400, 'invalid', message), at }))
  if (problems.length > 0) return problems
  return [...modelRefusals(body, options), ...toolRefusals(body, options)]
}

const defaultKey = 'test-key'
const wrongKey = 'Incorrect API key provided.'

function modelRefusals(
  body: JsonValue,
  { models }: Pick<FaultServerOptions, 'models'>,
): readonly ServiceError[] {
  const model = `${fieldsOf(body)?.['model']}`
  if (models === undefined || models.includes(model)) return []
  return [refusal(404, 'model-not-found', `The model \`${model}\` does not exist.`)]
}

function toolRefusals(
  body: JsonValue,
  { tools }: Pick<FaultServerOptions, 'tools'>,
): readonly ServiceError[] {
  if (tools !== 'refused' || fieldsOf(body)?.['tools'] === undefined) return []
  return [{ ...refusal(400, 'invalid', 'are not taken by this server'), at: 'tools' }]
}

function refusal(status: number, kind: ServiceError['kind'], message: string): ServiceError {
  return { status, kind, message, at: null }
}
