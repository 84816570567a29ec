/** Errors of the gateway in the form of each API, so that clients recover from them as from the provider's own. */
import { Refusal } from '../problem.ts'
import { serverErrors } from '../server-errors-data.ts'
import type { Family } from './wire.ts'

export interface ApiError {
  readonly status: number
  /** Our code, such as `KEY_MISSING`, or `CONTEXT_OVERFLOW`. */
  readonly code: string
  readonly message: string
}

export function apiErrorOf(error: unknown): ApiError {
  if (!(error instanceof Refusal)) {
    const { httpStatus: status, meaning: message } = serverErrors.INTERNAL
    return { status, code: 'INTERNAL', message }
  }
  const { httpStatus: status } = serverErrors[error.code]
  return { status, code: error.code, message: error.message }
}

/** `requested` and `limit` in the words by which clients of this API know that they must compact. */
export function overflowError(family: Family, requested: number, limit: number): ApiError {
  const message = {
    anthropic: `prompt is too long: ${requested} tokens > ${limit} maximum`,
    openai: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${requested} tokens. Please reduce the length of the messages.`,
    gemini: `The input token count (${requested}) exceeds the maximum number of tokens allowed (${limit}).`,
  }[family]
  return { status: 400, code: 'CONTEXT_OVERFLOW', message }
}

export function apiErrorResponse(
  family: Family,
  { status, code, message }: ApiError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = JSON.stringify(bodyOf(family, { status, code, message }))
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', 'x-throughline-error': code, ...headers },
  })
}

function bodyOf(family: Family, { status, code, message }: ApiError): object {
  if (family === 'gemini') {
    const name = geminiStatuses[status] ?? 'INTERNAL'
    return { error: { code: status, message, status: name } }
  }
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  if (family === 'anthropic') return { type: 'error', error: { type, message } }
  const openaiCode = code === 'CONTEXT_OVERFLOW' ? 'context_length_exceeded' : code.toLowerCase()
  return { error: { message, type, param: null, code: openaiCode } }
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
}

const geminiStatuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  426: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
}
