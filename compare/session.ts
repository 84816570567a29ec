/**
 * What every method is driven through: a session gets a user's message and calls its model until that
 * answers. The model is scripted, so all methods have the same conversation, and only their requests differ.
 */
import type { JsonObject } from 'throughline'

/** The names by which the scripted server knows who asks. OpenAI's SDK expects names of this form. */
export const agentModel = 'gpt-compare-agent'
export const summarizerModel = 'gpt-compare-summarizer'
export const apiKey = 'test-key'

interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message as chat completions have it. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string | null
      readonly tool_calls?: readonly ToolCall[]
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

export interface Opening {
  /** The window of the model, in tokens. */
  readonly windowTokens: number
  readonly system: string
  readonly tools: readonly ToolSchema[]
  /** Where the method stores the conversation; it may hold one already. */
  readonly folder: string
  /** Of a server that speaks OpenAI's APIs, ending with `/v1`. */
  readonly url: string
  /** Of a server that speaks OpenAI's embeddings, ending with `/v1`. */
  readonly embeddingsUrl: string
  /** Where a method asks a summarizer that takes no `fetch`. */
  readonly summarizerUrl: string
  readonly fetch: typeof fetch
  readonly runTool: (name: string, input: Readonly<Record<string, unknown>>) => string
}

export interface Session {
  /** Stores messages without a request. */
  load(messages: readonly ChatMessage[]): Promise<void>
  /** The user's message, and all requests until the model answers it. */
  turn(text: string): Promise<void>
  close(): Promise<void>
}

export type OpenSession = (opening: Opening) => Promise<Session>
