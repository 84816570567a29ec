/** The result of a command: an exit code and, on failure, a problem. Usage errors are thrown. */
import { errorTable, isThroughlineError, type ThroughlineError } from '../errors.ts'
import type { World } from './world.ts'

export interface ExitResult {
  readonly exitCode: number
  /** Null on success. */
  readonly problem: Problem | null
}

export interface Problem {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** The output of a command: lines for people, one JSON document for programs. */
export interface Reply {
  readonly json: unknown
  readonly lines: () => readonly string[]
  /** `done` unless set. */
  readonly exit?: ExitResult
}

export type Outcome = ExitResult | Reply

export const done: ExitResult = { exitCode: 0, problem: null }

export function failWith(code: FailureCode, message: string, details?: Problem['details']) {
  return failed(1, code, message, details)
}

type Details = Problem['details'] | null

function failed(exitCode: number, code: string, message: string, details?: Details): ExitResult {
  return { exitCode, problem: { code, message, ...(details && { details }) } }
}

export type FailureCode = 'NOT_FOUND' | 'AMBIGUOUS' | 'REFUSED' | 'UNSOUND' | 'CLIENT_FAILED'

export class UsageError extends Error {}

export class UnreadableTranscript extends Error {}

/** The model cannot be used; the message names the missing setting and what to do. */
export class ModelNotConfigured extends Error {}

/** Ctrl-C; or, with exit code 0, the reader of our output has closed the pipe. */
export class Interrupted extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

export function exitResultOf(error: unknown, { env, signal }: World): ExitResult {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  if (signal.aborted && (error === signal.reason || name === 'AbortError')) {
    const exitCode = signal.reason instanceof Interrupted ? signal.reason.exitCode : 130
    if (exitCode === 0) return done
    return failed(exitCode, 'INTERRUPTED', 'interrupted; all data written so far is complete')
  }
  if (error instanceof UsageError) return failed(64, 'USAGE', message)
  // Without the advice of the error table: the message has its own.
  if (error instanceof ModelNotConfigured)
    return failed(errorTable.CONFIG_INVALID.exitCode, 'CONFIG_INVALID', message)
  if (error instanceof UnreadableTranscript)
    return failed(errorTable.TRANSCRIPT_UNREADABLE.exitCode, 'TRANSCRIPT_UNREADABLE', message)
  if (isThroughlineError(error))
    return failed(errorTable[error.code].exitCode, error.code, errorText(error), error.details)
  // A read-only folder or a full disk: a stack trace would not help.
  if (error instanceof Error && 'syscall' in error && 'path' in error)
    return failed(74, 'FILE_FAILED', message)
  const whole = error instanceof Error ? (stack ?? message) : message
  const text = env['THROUGHLINE_DEBUG']
    ? whole
    : `unexpected error: ${message} (set THROUGHLINE_DEBUG=1 for a stack trace)`
  return failed(errorTable.INVARIANT_BROKEN.exitCode, 'UNEXPECTED', text)
}

export function errorText({ code, message }: ThroughlineError): string {
  return `${message.replace(/\.$/, '')}. ${errorTable[code].whatToDo}`
}
