/** The formats that every context must be writable in, each with what its provider would say. */
import {
  aiSdk,
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from '../../adapters/index.ts'
import { isThroughlineError } from '../../errors.ts'
import type { Adapter, Deliverable } from '../../index.ts'

export interface Format {
  readonly name: string
  /** The request as it would leave, or why its provider would refuse it. */
  write(context: Deliverable): object | string
}

export const formats: readonly Format[] = [
  formatOf(openaiChat),
  formatOf(openaiResponses),
  formatOf(anthropicMessages),
  formatOf(geminiContents),
  formatOf(aiSdk),
]

export function formatOf<Request extends object>(adapter: Adapter<Request>): Format {
  return {
    name: adapter.format,
    write: (context) => {
      try {
        const request = adapter.write(context)
        const [problem] = adapter.problems(request)
        return problem === undefined ? request : `${problem.rule}: ${problem.message}`
      } catch (error) {
        if (isThroughlineError(error) && error.code === 'REQUEST_INVALID') return error.message
        throw error
      }
    },
  }
}
