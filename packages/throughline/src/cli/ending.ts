/** How a command ends. What a person meets on a normal day is a value; wrong usage is thrown. */

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
