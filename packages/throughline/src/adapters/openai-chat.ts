/**
 * OpenAI's chat completions, and every service that speaks their form: `messages` and
 * `tools` of a body for POST /v1/chat/completions.
 */
import type { Adapter } from '../ports/adapter.ts'
import { defineAdapter } from './define-adapter.ts'
import { readChat } from './openai/chat-read.ts'
import { openaiChatProblems } from './openai/chat-rules.ts'
import { writeChat } from './openai/chat-write.ts'
import type { OpenaiChatRequest } from './openai/chat-write-message.ts'

/**
 * OpenAI's chat completions, and every service that speaks their form, read and written.
 *
 * @example
 * const body = { model: 'gpt-5', ...openaiChat.write(context) }
 * const { messages: taken } = openaiChat.read({ messages: [{ role: 'user', content: 'And the invoice?' }] })
 */
export const openaiChat: Adapter<OpenaiChatRequest> = defineAdapter<OpenaiChatRequest>({
  format: 'openai-chat',
  list: { field: 'messages' },
  read: readChat,
  write: writeChat,
  problems: openaiChatProblems,
})
