/** How a command ends. What a person meets on a normal day is a value; wrong usage is thrown. */
import { errorTable, isThroughlineError, type ThroughlineError } from '../errors.ts'
import type { World } from './world.ts'

export interface Ending {
  readonly exitCode: number
  /** Null where all went well. */
  readonly problem: Problem | null
}

export interface Problem {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** What a command says: lines for people, one JSON document for programs. */
export interface Reply {
  readonly json: unknown
  readonly lines: () => readonly string[]
  /** `done` unless set. */
  readonly ending?: Ending
}

export type Outcome = Ending | Reply

export const done: Ending = { exitCode: 0, problem: null }

export function notDone(code: NotDone, message: string, details?: Problem['details']): Ending {
  return failed(1, code, message, details)
}

function failed(
  exitCode: number,
  code: string,
  message: string,
  details?: Problem['details'] | null,
): Ending {
  return { exitCode, problem: { code, message, ...(details && { details }) } }
}

export type NotDone = 'NOT_FOUND' | 'AMBIGUOUS' | 'REFUSED' | 'UNSOUND'

export class WrongUsage extends Error {}

export class Unreadable extends Error {}

/** A model cannot be used; the message says what is missing and what to do. */
export class NotSetUp extends Error {}

/** Ctrl-C; or, with exit code 0, the reader of our output is gone. */
export class Interrupted extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

export function endingOf(error: unknown, { env, signal }: World): Ending {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  if (signal.aborted && (error === signal.reason || name === 'AbortError')) {
    const exitCode = signal.reason instanceof Interrupted ? signal.reason.exitCode : 130
    if (exitCode === 0) return done
    return failed(exitCode, 'INTERRUPTED', 'stopped; what was written is whole')
  }
  if (error instanceof WrongUsage) return failed(64, 'USAGE', message)
  // The code of the table without its advice: the message has its own.
  if (error instanceof NotSetUp)
    return failed(errorTable.CONFIG_INVALID.exitCode, 'CONFIG_INVALID', message)
  if (error instanceof Unreadable)
    return failed(errorTable.TRANSCRIPT_UNREADABLE.exitCode, 'TRANSCRIPT_UNREADABLE', message)
  if (isThroughlineError(error))
    return failed(errorTable[error.code].exitCode, error.code, errorText(error), error.details)
  // A read-only folder or a full disk: a stack would explain nothing.
  if (error instanceof Error && 'syscall' in error && 'path' in error)
    return failed(74, 'FILE_FAILED', message)
  const whole = error instanceof Error ? (stack ?? message) : message
  const told = env['THROUGHLINE_DEBUG'] ? whole : `${message} (THROUGHLINE_DEBUG=1 shows where)`
  return failed(errorTable.INVARIANT_BROKEN.exitCode, 'UNEXPECTED', told)
}

export function errorText({ code, message }: ThroughlineError): string {
  return `${message.replace(/\.$/, '')}. ${errorTable[code].whatToDo}`
}
