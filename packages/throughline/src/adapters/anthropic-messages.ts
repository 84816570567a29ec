/**
 * The Messages API of Anthropic, read and written.
 *
 * ```ts
 * const body = { model, max_tokens: 1024, ...anthropicMessages.write(context) }
 * ```
 */
import type { Adapter } from '../ports/adapter.ts'
import { readAnthropic } from './anthropic/read.ts'
import { anthropicMessagesProblems } from './anthropic/rules.ts'
import { writeAnthropic } from './anthropic/write.ts'
import { defineAdapter } from './define-adapter.ts'

/** What of the body is ours; all other fields are the caller's. */
export interface AnthropicMessagesRequest {
  readonly system?: string | readonly object[] | undefined
  readonly messages: readonly {
    readonly role: string
    readonly content: string | readonly object[]
  }[]
  readonly tools?: readonly object[] | undefined
}

export const anthropicMessages: Adapter<AnthropicMessagesRequest> =
  defineAdapter<AnthropicMessagesRequest>({
    format: 'anthropic-messages',
    read: readAnthropic,
    write: writeAnthropic,
    problems: anthropicMessagesProblems,
  })
