/**
 * OpenAI's chat completions, and every service that speaks their form: `messages` and
 * `tools` of a body for POST /v1/chat/completions.
 *
 * @example
 * const body = { model: 'gpt-5', ...openaiChat.write(context) }
 */
import type { Adapter } from '../ports/adapter.ts'
import { defineAdapter } from './define-adapter.ts'
import { readChat } from './openai/chat-read.ts'
import type { OpenaiChatRequest } from './openai/chat-request.ts'
import { openaiChatProblems } from './openai/chat-rules.ts'
import { writeChat } from './openai/chat-write.ts'

export const openaiChat: Adapter<OpenaiChatRequest> = defineAdapter<OpenaiChatRequest>({
  format: 'openai-chat',
  read: readChat,
  write: writeChat,
  problems: openaiChatProblems,
})
