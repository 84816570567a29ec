/** How a command ends. What a person meets on a normal day is a value; wrong usage is thrown. */
import { errorTable, isThroughlineError, type ThroughlineError } from '../errors.ts'
import type { World } from './world.ts'

export interface Ending {
  readonly exitCode: number
  /** Told on stderr; null where all went well. */
  readonly problem: Problem | null
}

export interface Problem {
  readonly code: string
  readonly message: string
  /** For programs, beside the message. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** What a command says: lines for people, one JSON document for programs. */
export interface Reply {
  readonly json: unknown
  readonly lines: () => readonly string[]
  /** How it ends then; well, unless set. */
  readonly ending?: Ending
}

export type Outcome = Ending | Reply

export const done: Ending = { exitCode: 0, problem: null }

/** What was asked for is not there, or cannot be done as things stand. */
export function notDone(code: NotDone, message: string, details?: Problem['details']): Ending {
  return { exitCode: 1, problem: { code, message, ...(details && { details }) } }
}

export type NotDone = 'NOT_FOUND' | 'AMBIGUOUS' | 'REFUSED' | 'UNSOUND'

/** The words behind the command make no sense. */
export class WrongUsage extends Error {}

/** A transcript cannot be read; the message says what to do. */
export class Unreadable extends Error {}

/** A model cannot be asked as things are set up; the message says what is missing, and the way out. */
export class NotSetUp extends Error {}

/** Somebody has pressed Ctrl-C; or, with 0, has stopped reading what we write. */
export class Interrupted extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

/** How a command ends that has thrown. */
export function endingOf(error: unknown, { env, signal }: World): Ending {
  if (signal.aborted && (error === signal.reason || isAbort(error)))
    return interrupted(signal.reason)
  if (error instanceof WrongUsage)
    return { exitCode: 64, problem: { code: 'USAGE', message: error.message } }
  if (error instanceof NotSetUp) return asToldIn('CONFIG_INVALID', error)
  if (error instanceof Unreadable) return asToldIn('TRANSCRIPT_UNREADABLE', error)
  if (isThroughlineError(error)) {
    const { exitCode } = errorTable[error.code]
    const { code, details } = error
    return { exitCode, problem: { code, message: errorText(error), ...(details && { details }) } }
  }
  if (isOfFile(error))
    return { exitCode: 74, problem: { code: 'FILE_FAILED', message: error.message } }
  const [message, stack] =
    error instanceof Error
      ? [error.message, error.stack ?? error.message]
      : [String(error), String(error)]
  const told = env['THROUGHLINE_DEBUG'] ? stack : `${message} (THROUGHLINE_DEBUG=1 shows where)`
  return {
    exitCode: errorTable.INVARIANT_BROKEN.exitCode,
    problem: { code: 'UNEXPECTED', message: told },
  }
}

/** The code of the table, without what it advises: the message has its own. */
function asToldIn(code: 'CONFIG_INVALID' | 'TRANSCRIPT_UNREADABLE', { message }: Error): Ending {
  return { exitCode: errorTable[code].exitCode, problem: { code, message } }
}

function interrupted(reason: unknown): Ending {
  // Nobody reads on, and nobody has to be told.
  if (reason instanceof Interrupted && reason.exitCode === 0) return done
  return {
    exitCode: reason instanceof Interrupted ? reason.exitCode : 130,
    problem: { code: 'INTERRUPTED', message: 'stopped; what was written is whole' },
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** A folder that may not be written, a disk that is full: nothing that a stack would explain. */
function isOfFile(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

/** An error of ours as a person is told of it: what happened, and what to do. */
export function errorText({ code, message }: ThroughlineError): string {
  return `${message.replace(/\.$/, '')}. ${errorTable[code].whatToDo}`
}
