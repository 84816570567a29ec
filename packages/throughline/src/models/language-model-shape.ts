/**
 * Language models of the AI SDK, versions 2, 3 and 4 of their specification, typed by what
 * is used of them: a model of any release fits, and there is no package to depend on. What
 * they give back is looked at as data from outside.
 */
import type { JsonObject } from '../domain/json.ts'

/** A language model of the AI SDK. */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  // Methods, not properties: the calls of the SDK take more than we hand over.
  doGenerate(call: AiSdkCall): PromiseLike<object>
  doStream(call: AiSdkCall): PromiseLike<{ readonly stream: ReadableStream<object> }>
}

/** The slice of the options of a call that is the same in all three versions. */
export interface AiSdkCall {
  prompt: AiSdkPromptMessage[]
  maxOutputTokens: number
  temperature: number
  responseFormat: { type: 'text' } | { type: 'json'; schema: JsonObject; name: string }
  abortSignal: AbortSignal
}

/** A call that the conversation makes of its model, in version 4 of the specification. */
export interface ConversationCall {
  readonly prompt: readonly object[]
  readonly tools?: readonly object[] | undefined
  readonly toolChoice?: object | undefined
  readonly providerOptions?: Readonly<Record<string, object>> | undefined
}

export type AiSdkPromptMessage =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant'; content: { type: 'text'; text: string }[] }

/** What names become models: a provider or a registry of the SDK. */
export interface AiSdkProvider {
  languageModel(id: string): AiSdkModel
}

export type Fields = Readonly<Record<string, unknown>>

/** Another look at something from outside: its fields may be anything. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
