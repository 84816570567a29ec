/** The formats that every context must be writable in, each with what its provider would say. */
import { aiSdk } from '../../adapters/ai-sdk.ts'
import { anthropicMessages } from '../../adapters/anthropic-messages.ts'
import { geminiContents } from '../../adapters/gemini-contents.ts'
import { openaiChat } from '../../adapters/openai-chat.ts'
import { openaiResponses } from '../../adapters/openai-responses.ts'
import type { Deliverable } from '../../domain/context.ts'
import { isThroughlineError } from '../../errors.ts'
import type { Adapter } from '../../ports/adapter.ts'

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
