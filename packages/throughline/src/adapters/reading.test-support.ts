/** What may come of reading something unsound: messages, or a refusal with its code. Never a fault. */
import fc from 'fast-check'
import { isThroughlineError } from '../errors.ts'

/** Null where it was refused. */
export function readOrRefused<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch (error) {
    const codes: readonly string[] = ['MESSAGE_INVALID', 'REQUEST_INVALID']
    if (isThroughlineError(error) && codes.includes(error.code)) return null
    throw error
  }
}

/** Objects with anything in them: parts of kinds that nobody knows yet. */
export const anyPart = fc.dictionary(fc.string(), fc.jsonValue())
