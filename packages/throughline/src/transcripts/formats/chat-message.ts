/**
 * One OpenAI chat message as ours. Messages of a conversation go through one
 * `ChatMessages`, because a legacy function result names no call: it answers the
 * last one.
 */
import type { JsonObject, JsonValue, MessageInput, PartInput } from '../../index.ts'
import { toolOutput } from '../content-parts.ts'
import { countOf, fieldOf, filledTextOf, metaOf, textOf } from '../json/json-access.ts'
import type { ReportedUsage } from '../transcript.ts'
import {
  type ChatContentPart,
  chatCalls,
  chatContent,
  functionCall,
  refusalPart,
} from './chat-content.ts'

export type ChatSpeech = Pick<MessageInput, 'role' | 'content' | 'author' | 'meta'>

export class ChatMessages {
  #lastFunctionCall: string | null = null

  /** `text` is the exact text of the message, `made` names it where a call id is missing. */
  read(message: JsonObject, text: string, made: string): ChatSpeech | null {
    const content = chatContent(message, text)
    const author = filledTextOf(message, 'name') ?? undefined
    switch (textOf(message, 'role')) {
      case 'system':
        return { role: 'system', content, author }
      case 'developer':
        return { role: 'system', content, author, meta: { role: 'developer' } }
      case 'user':
        return { role: 'user', content: [...content, ...chatCalls(message, text, made)], author }
      case 'assistant':
        return { role: 'assistant', content: this.#answer(message, content, text, made), author }
      case 'tool': {
        const callId = filledTextOf(message, 'tool_call_id') ?? filledTextOf(message, 'id')
        return { role: 'tool', content: [resultPart(message, callId ?? made, content)] }
      }
      case 'function': {
        const callId = this.#lastFunctionCall ?? made
        return { role: 'tool', content: [resultPart(message, callId, content)] }
      }
      default:
        return null
    }
  }

  #answer(
    message: JsonObject,
    content: readonly ChatContentPart[],
    text: string,
    made: string,
  ): PartInput[] {
    const reasoning = textOf(message, 'reasoning_content') ?? textOf(message, 'reasoning')
    const refusal = textOf(message, 'refusal')
    const legacy = functionCall(message, text, `${made}.function_call`)
    if (legacy !== null) this.#lastFunctionCall = `${made}.function_call`
    return [
      ...(reasoning ? [{ type: 'reasoning', text: reasoning } as const] : []),
      ...content,
      ...(refusal ? [refusalPart(refusal)] : []),
      ...(legacy === null ? [] : [legacy]),
      ...chatCalls(message, text, made),
    ]
  }
}

function resultPart(
  message: JsonObject,
  callId: string,
  content: readonly ChatContentPart[],
): PartInput {
  return {
    type: 'tool-result',
    callId,
    name: filledTextOf(message, 'name') ?? undefined,
    output: toolOutput(content),
    isError: fieldOf(message, 'error') === true,
    metadata: metaOf({ requestor: textOf(message, 'requestor') }),
  }
}

/** `usage` of a chat completion. */
export function chatUsage(usage: JsonValue | undefined): ReportedUsage | null {
  const inputTokens = countOf(usage, 'prompt_tokens')
  if (inputTokens === null || inputTokens === 0) return null
  return {
    inputTokens,
    outputTokens: countOf(usage, 'completion_tokens'),
    cacheReadTokens: countOf(fieldOf(usage, 'prompt_tokens_details'), 'cached_tokens'),
    cacheWriteTokens: null,
  }
}
