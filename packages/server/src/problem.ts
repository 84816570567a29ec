/** Failures as problem documents (RFC 9457), with the codes of the engine and of the server. */
import { errorTable, isThroughlineError } from 'throughline'
import { type ServerErrorCode, serverErrors } from './server-errors-data.ts'

/** A refusal of the server: the request is answered with the status of its code. */
export class Refusal extends Error {
  readonly code: ServerErrorCode
  readonly headers: Readonly<Record<string, string>>
  /** What the engine returned in place of a value. */
  readonly failure: Failure | null

  constructor(
    code: ServerErrorCode,
    detail?: string,
    headers: Readonly<Record<string, string>> = {},
    failure: Failure | null = null,
  ) {
    super(detail ?? serverErrors[code].meaning)
    this.code = code
    this.headers = headers
    this.failure = failure
  }
}

type Failure = { readonly kind: string }

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly retryable: boolean
  /** A failure that the engine returns as a value, and the figures of an error of the engine. */
  readonly failure?: Failure
  readonly details?: Readonly<Record<string, unknown>>
}

export function problemOf(error: unknown): Problem {
  if (isThroughlineError(error)) {
    const { meaning, httpStatus, retryable } = errorTable[error.code]
    // In a request, a wrong option is the caller's.
    const status = error.code === 'CONFIG_INVALID' ? 400 : httpStatus
    // Errors of the store may name files of the machine.
    const detail = status < 500 ? error.message : meaning
    const details = status < 500 && error.details !== null && { details: error.details }
    return {
      ...{ type: typeOf(error.code), title: meaning, status, code: error.code, detail, retryable },
      ...details,
    }
  }
  const code = error instanceof Refusal ? error.code : 'INTERNAL'
  const { httpStatus: status, meaning } = serverErrors[code]
  const detail = error instanceof Refusal ? error.message : meaning
  const retryable = [429, 499, 503].includes(status) || code === 'REQUEST_RUNNING'
  const failure = error instanceof Refusal && error.failure !== null && { failure: error.failure }
  return { type: typeOf(code), title: meaning, status, code, detail, retryable, ...failure }
}

export function problemResponse(error: unknown): Response {
  const problem = problemOf(error)
  const headers = error instanceof Refusal ? error.headers : {}
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}

/** Of a failure that the engine returns as a value. */
export function refusalOf(failure: Failure): Refusal {
  const isMissing = ['not-found', 'source-not-found'].includes(failure.kind)
  return new Refusal(isMissing ? 'NOT_FOUND' : 'CONFLICT', failure.kind, {}, failure)
}

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: Failure }

/** The value of a result as the body of an answer; throws if it failed. */
export function answerWith(result: Outcome): { readonly body: unknown } {
  if (!result.ok) throw refusalOf(result.failure)
  return { body: result.value }
}

function typeOf(code: string): string {
  return `urn:throughline:error:${code.toLowerCase().replaceAll('_', '-')}`
}
