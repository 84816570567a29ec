/** Adapters of services whose request is a JSON body over HTTP. */
import type { Adapter } from '../ports/adapter.ts'
import { readAnthropic } from './anthropic/read.ts'
import type {
  AnthropicMessagesRequest,
  AnthropicMessagesRequestInput,
} from './anthropic/request.ts'
import { anthropicMessagesProblems } from './anthropic/rules.ts'
import { writeAnthropic } from './anthropic/write.ts'
import { defineAdapter } from './define-adapter.ts'
import { readGemini } from './gemini/read.ts'
import type { GeminiContentsRequest, GeminiContentsRequestInput } from './gemini/request.ts'
import { geminiContentsProblems } from './gemini/rules.ts'
import { writeGemini } from './gemini/write.ts'
import { readChat } from './openai/chat-read.ts'
import type { OpenaiChatRequest, OpenaiChatRequestInput } from './openai/chat-request.ts'
import { openaiChatProblems } from './openai/chat-rules.ts'
import { writeChat } from './openai/chat-write.ts'
import { readResponses } from './openai/responses-read.ts'
import type {
  OpenaiResponsesRequest,
  OpenaiResponsesRequestInput,
} from './openai/responses-request.ts'
import { openaiResponsesProblems } from './openai/responses-rules.ts'
import { writeResponses } from './openai/responses-write.ts'

/**
 * The Messages API of Anthropic, read and written.
 *
 * @example
 * const body = { model: 'claude-sonnet-5-5', max_tokens: 1024, ...anthropicMessages.write(context) }
 */
export const anthropicMessages: Adapter<AnthropicMessagesRequest, AnthropicMessagesRequestInput> =
  /* @__PURE__ */ defineAdapter({
    format: 'anthropic-messages',
    messagesField: 'messages',
    read: readAnthropic,
    write: writeAnthropic,
    problems: anthropicMessagesProblems,
  })

/**
 * generateContent of the Gemini API, read and written.
 *
 * @example
 * const body = { generationConfig: { temperature: 0 }, ...geminiContents.write(context) }
 */
export const geminiContents: Adapter<GeminiContentsRequest, GeminiContentsRequestInput> =
  /* @__PURE__ */ defineAdapter({
    format: 'gemini-contents',
    messagesField: 'contents',
    read: readGemini,
    write: writeGemini,
    problems: geminiContentsProblems,
  })

/**
 * OpenAI's chat completions, and every service that speaks their form, read and written.
 *
 * @example
 * const body = { model: 'gpt-5', ...openaiChat.write(context) }
 * const { messages: taken } = openaiChat.read({ messages: [{ role: 'user', content: 'And the invoice?' }] })
 */
export const openaiChat: Adapter<OpenaiChatRequest, OpenaiChatRequestInput> =
  /* @__PURE__ */ defineAdapter({
    format: 'openai-chat',
    messagesField: 'messages',
    read: readChat,
    write: writeChat,
    problems: openaiChatProblems,
  })

/**
 * OpenAI's responses, read and written. One item is one message of ours.
 *
 * @example
 * const body = { model: 'gpt-5', store: false, ...openaiResponses.write(context) }
 */
export const openaiResponses: Adapter<OpenaiResponsesRequest, OpenaiResponsesRequestInput> =
  /* @__PURE__ */ defineAdapter({
    format: 'openai-responses',
    messagesField: 'input',
    acceptsText: true,
    read: readResponses,
    write: writeResponses,
    problems: openaiResponsesProblems,
  })
