/** Providers' forms of a request, read and written. */
export type { AiSdkRequest, AiSdkRequestInput } from './ai-sdk/request.ts'
export { aiSdk } from './ai-sdk.ts'
export type {
  AnthropicMessagesRequest,
  AnthropicMessagesRequestInput,
} from './anthropic/request.ts'
export type { GeminiContentsRequest, GeminiContentsRequestInput } from './gemini/request.ts'
export {
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from './http-adapters.ts'
export type { OpenaiChatRequest, OpenaiChatRequestInput } from './openai/chat-request.ts'
export type {
  OpenaiResponsesRequest,
  OpenaiResponsesRequestInput,
} from './openai/responses-request.ts'
