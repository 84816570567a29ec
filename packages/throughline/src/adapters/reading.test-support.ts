/** Reading an invalid value must return messages or throw an error with a code, and nothing else. */
import fc from 'fast-check'
import { isThroughlineError } from '../errors.ts'

/** Null if the value was refused. */
export function readOrRefused<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch (error) {
    const codes: readonly string[] = ['MESSAGE_INVALID', 'REQUEST_INVALID']
    if (isThroughlineError(error) && codes.includes(error.code)) return null
    throw error
  }
}

/** Objects with any fields, like parts of types that do not exist yet. */
export const anyPart = fc.dictionary(fc.string(), fc.jsonValue())
