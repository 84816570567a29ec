/** Providers' forms of a request, read and written. */
export type { AiSdkRequest, AiSdkRequestInput } from './ai-sdk/request.ts'
export { type AiSdkAdapter, aiSdk } from './ai-sdk.ts'
export {
  type AnthropicMessagesRequest,
  anthropicMessages,
  type GeminiContentsRequest,
  geminiContents,
  openaiChat,
  openaiResponses,
} from './http-adapters.ts'
export type { OpenaiChatRequest } from './openai/chat-write.ts'
export type { OpenaiResponsesRequest } from './openai/responses-write.ts'
