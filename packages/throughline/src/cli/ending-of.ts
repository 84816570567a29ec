/** How a command ends that has thrown. */
import { errorTable, isThroughlineError } from '../errors.ts'
import { done, type Ending, Interrupted, NotSetUp, Unreadable, WrongUsage } from './ending.ts'
import { errorText } from './error-text.ts'
import type { World } from './world.ts'

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
