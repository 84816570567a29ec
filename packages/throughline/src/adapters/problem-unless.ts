/** One rule of a provider, asked of one value. */
import type { RequestProblem } from '../ports/adapter.ts'

export function problemUnless(
  sound: boolean,
  rule: string,
  at: string,
  message: string,
): readonly RequestProblem[] {
  return sound ? [] : [{ rule, at, message }]
}
