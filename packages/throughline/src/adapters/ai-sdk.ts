/** Prompts of the AI SDK, version 7. Tools are the caller's functions: never written, read if plain schemas. */
import type { Adapter } from '../ports/adapter.ts'
import { readAiSdk } from './ai-sdk/read.ts'
import type { AiSdkRequest, AiSdkRequestInput } from './ai-sdk/request.ts'
import { aiSdkProblems } from './ai-sdk/rules.ts'
import { writeAiSdk } from './ai-sdk/write.ts'
import { defineAdapter } from './define-adapter.ts'

/**
 * The prompt of the AI SDK, read and written: `instructions` and `messages` of `generateText`.
 *
 * @example
 * const prompt = { temperature: 0, ...aiSdk.write(context) }
 */
export const aiSdk: Adapter<AiSdkRequest, AiSdkRequestInput> = defineAdapter({
  format: 'ai-sdk',
  messagesField: 'messages',
  read: readAiSdk,
  write: writeAiSdk,
  problems: aiSdkProblems,
})
