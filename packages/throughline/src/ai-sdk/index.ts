/** The AI SDK (version 7): a middleware and a `prepareStep` that keep conversations inside the window. */

export type { CallOptions } from '../calls/options.ts'
export { type ThroughlineMiddleware, throughlineMiddleware } from './middleware.ts'
export { type StepOptions, throughlineStep } from './prepare-step.ts'
export { type AiSdkRecallOptions, recallTools } from './recall-tools.ts'
export { type StoredUiMessage, uiMessages } from './ui-messages.ts'
export {
  type ConversationCallOptions,
  conversationCall,
  type WriteConversation,
} from './write-prompt.ts'
