/** The Messages API of Anthropic, read and written. */
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

/**
 * The Messages API of Anthropic, read and written.
 *
 * @example
 * const body = { model: 'claude-sonnet-4-5', max_tokens: 1024, ...anthropicMessages.write(context) }
 */
export const anthropicMessages: Adapter<AnthropicMessagesRequest> =
  defineAdapter<AnthropicMessagesRequest>({
    format: 'anthropic-messages',
    list: { field: 'messages' },
    read: readAnthropic,
    write: writeAnthropic,
    problems: anthropicMessagesProblems,
  })
