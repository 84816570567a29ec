/** The AI SDK (version 7): a middleware and a `prepareStep` that keep conversations inside the window. */

export {
  type MiddlewareCall,
  type ThroughlineMiddleware,
  throughlineMiddleware,
} from './middleware.ts'
export type { AiSdkOptions } from './options.ts'
export { type PreparedStep, type StepOptions, throughlineStep } from './prepare-step.ts'
export {
  type AiSdkRecallOptions,
  type AiSdkRecallTools,
  type ArgumentsSchema,
  type ExpandArguments,
  type RecallArguments,
  type RecallTool,
  recallTools,
} from './recall-tools.ts'
export {
  type ConversationCallOptions,
  conversationCall,
  type WriteConversation,
  type WrittenConversation,
} from './write-prompt.ts'
