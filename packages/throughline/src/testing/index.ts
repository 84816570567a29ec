/** Contracts, builders, providers' rules and scripted models, for your own stores and tests. */
export { aiSdkProblems } from '../adapters/ai-sdk/rules.ts'
export { anthropicMessagesProblems } from '../adapters/anthropic/rules.ts'
export { geminiContentsProblems } from '../adapters/gemini/rules.ts'
export { openaiChatProblems } from '../adapters/openai/chat-rules.ts'
export { openaiResponsesProblems } from '../adapters/openai/responses-rules.ts'
export { type Builder, build } from './build.ts'
export { type FakeClock, fakeClock } from './fake-clock.ts'
export {
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedModel,
} from './scripted-model.ts'
export { type StoreContractOptions, storeContract } from './store-contract.ts'
