/** Language models that write summaries: through the AI SDK, or over HTTP. */
export type { ModelPrices } from '../domain/model-prices.ts'
export type {
  LanguageModel,
  ModelAnswer,
  ModelFailure,
  ModelOutcome,
  ModelRequest,
  ModelRequestMessage,
} from '../ports/language-model.ts'
export { type BoundedFetchOptions, boundedFetch } from './bounded-fetch.ts'
export type { HttpApi } from './http/endpoint.ts'
export { type HttpModelOptions, httpModel } from './http/http-model.ts'
export { languageModel } from './language-model.ts'
export type { LanguageModelOptions, WriteConversationCall } from './language-model-options.ts'
export type {
  AiSdkCall,
  AiSdkModel,
  AiSdkPromptMessage,
  AiSdkProvider,
  ConversationCall,
} from './language-model-shape.ts'
