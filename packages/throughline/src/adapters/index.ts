/** Providers' forms of a request, read and written. */
export { type AiSdkAdapter, aiSdk } from './ai-sdk.ts'
export { anthropicMessages } from './anthropic-messages.ts'
export { geminiContents } from './gemini-contents.ts'
export { openaiChat } from './openai-chat.ts'
export { openaiResponses } from './openai-responses.ts'
