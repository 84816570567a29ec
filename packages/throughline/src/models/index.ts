/** Language models that write summaries, through the AI SDK or over HTTP; embedders for recall. */
export { costOf, type ModelPrices } from '../domain/usage.ts'
export type { Embedder } from '../ports/embedder.ts'
export type {
  LanguageModel,
  ModelAnswer,
  ModelFailure,
  ModelOutcome,
  ModelRequest,
} from '../ports/language-model.ts'
export { type BoundedFetchOptions, boundedFetch } from './bounded-fetch.ts'
export { type AiSdkEmbeddingModel, embedder } from './embedder.ts'
export { type HttpModelOptions, httpModel } from './http/http-model.ts'
export type { ReplyPart } from './http/read-reply.ts'
export { keyHeaders, streamReply } from './http/stream-reply.ts'
export { languageModel } from './language-model.ts'
export { failureOf } from './language-model-failure.ts'
export type {
  AiSdkModel,
  AiSdkProvider,
  LanguageModelOptions,
  WriteConversationCall,
} from './language-model-options.ts'
export { knownProviders, type ProviderSettings } from './providers-data.ts'
