/** What both of OpenAI's formats refuse anywhere in a request, and how a problem is told. */
import type { RequestProblem } from '../../ports/adapter.ts'
import { flawsIn, placesIn } from '../well-formed.ts'

/** The longest text that is taken in one field. */
const textLengthMax = 10_485_760

export function problem(rule: string, at: string, message: string): RequestProblem {
  return { rule, at, message }
}

/** What is refused anywhere: half surrogate pairs, bottomless nesting, endless text. */
export function* valueProblems(body: unknown): Generator<RequestProblem> {
  yield* flawsIn(body)
  for (const { value, at } of placesIn(body))
    if (typeof value === 'string' && value.length > textLengthMax && !isFileText(value, at))
      yield problem('text-length', at, `is longer than ${textLengthMax}`)
}

/** Bytes of files have limits of their own. */
function isFileText(text: string, at: string): boolean {
  return text.startsWith('data:') || at.endsWith('.data')
}
