/** What is thrown where an answer is none: the provider's own error, and what is in no form of its API. */
import { otherShapeName } from '../language-model-failure.ts'

export function sentError(error: unknown): Error {
  return Object.assign(new Error('the provider has sent an error'), { error })
}

export function otherShape(message: string): Error {
  const error = new Error(message)
  error.name = otherShapeName
  return error
}
