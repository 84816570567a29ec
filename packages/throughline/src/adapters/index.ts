/** Providers' forms of a request, read and written. */
export type { AiSdkRequest, AiSdkRequestInput } from './ai-sdk/request.ts'
export { type AiSdkAdapter, aiSdk } from './ai-sdk.ts'
export { type AnthropicMessagesRequest, anthropicMessages } from './anthropic-messages.ts'
export { type GeminiContentsRequest, geminiContents } from './gemini-contents.ts'
export type { OpenaiChatRequest } from './openai/chat-write-message.ts'
export type { OpenaiResponsesRequest } from './openai/responses-write.ts'
export { openaiChat } from './openai-chat.ts'
export { openaiResponses } from './openai-responses.ts'
