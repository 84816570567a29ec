/**
 * The calls that a conversation makes of its model, written for somebody else who goes on from them:
 * a summary that is asked for behind the same beginning costs little, since the provider has
 * that in its cache.
 */
import { isPlain } from '../adapters/unknown-json.ts'
import type { Deliverable } from '../domain/context.ts'
import { describe } from '../domain/describe.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import type { PromptMessage } from './call.ts'
import { callTools } from './tool-schemas.ts'
import { writePrompt } from './write-prompt.ts'

export interface ConversationCallOptions {
  /**
   * The `providerOptions` of your conversation's calls, word for word: thinking and effort are part of
   * what Anthropic's cache is asked for, `promptCacheKey` of what OpenAI's is.
   */
  readonly providerOptions?: Readonly<Record<string, object>> | undefined
}

/** Fits the option `continues` of `languageModel`. */
export type WriteConversation = (
  context: Deliverable,
  provider: string,
) => WrittenConversation | null

export interface WrittenConversation {
  readonly prompt: readonly PromptMessage[]
  readonly tools?: readonly object[]
  readonly toolChoice?: object
  readonly providerOptions?: Readonly<Record<string, object>>
}

/**
 * How the model of a conversation is called, for the option `continues` of `languageModel`.
 *
 * @example
 * const summarizer = languageModel('openai/gpt-5-mini', { continues: conversationCall() })
 */
export function conversationCall(options: ConversationCallOptions = {}): WriteConversation {
  const { providerOptions } = checkOptions(options, ['providerOptions'], 'conversationCall')
  if (providerOptions !== undefined && !isPlain(providerOptions))
    throw invalidOption(
      `conversationCall: providerOptions must be those of a call, got ${describe(providerOptions)}`,
    )
  return (context, provider) => {
    const tools = callTools(context.tools)
    // A reply that has to have a form can be no summary, and without the form nothing is cached.
    if (tools === null) return null
    return {
      prompt: writePrompt(context, provider),
      // As the SDK has them: another choice would cost the cache at Anthropic.
      ...(tools.length === 0 ? {} : { tools, toolChoice: { type: 'auto' } }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    }
  }
}
