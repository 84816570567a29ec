/** Language models that write summaries: through the AI SDK, or over HTTP. */
export { costOf, type ModelPrices } from '../domain/usage.ts'
export type {
  LanguageModel,
  ModelAnswer,
  ModelFailure,
  ModelOutcome,
  ModelRequest,
} from '../ports/language-model.ts'
export { type BoundedFetchOptions, boundedFetch } from './bounded-fetch.ts'
export { keyHeaders } from './http/endpoint.ts'
export { type HttpModelOptions, httpModel } from './http/http-model.ts'
export type { ReplyPart } from './http/reply-part.ts'
export { streamReply } from './http/stream-reply.ts'
export { languageModel } from './language-model.ts'
export { failureOf } from './language-model-failure.ts'
export type { LanguageModelOptions, WriteConversationCall } from './language-model-options.ts'
export type { AiSdkModel, AiSdkProvider } from './language-model-shape.ts'
