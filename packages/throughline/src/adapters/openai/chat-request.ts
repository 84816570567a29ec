/**
 * A body of /v1/chat/completions, typed by its shape: `client.chat.completions.create({ model,
 * ...openaiChat.write(context) })` compiles with the `openai` package and without a dependency on it.
 * Arrays are writable because the package's are.
 */
import type { JsonObject } from '../../domain/json.ts'

/** What `openaiChat.read` accepts: `messages` and `tools`; it ignores all other fields. */
export interface OpenaiChatRequestInput {
  readonly messages: readonly {
    readonly role: string
    readonly content?: unknown
    readonly name?: unknown
    readonly refusal?: unknown
    readonly tool_calls?: unknown
    readonly tool_call_id?: unknown
  }[]
  readonly tools?: readonly object[] | undefined
}

/**
 * What `openaiChat.write` returns; add `model` and your other fields. Blocks and fields that `read` did not
 * know are written back unchanged, although this type does not name them.
 */
export interface OpenaiChatRequest {
  messages: OpenaiChatMessage[]
  tools?: OpenaiChatTool[]
}

type OpenaiChatMessage =
  | { role: 'system'; content: string | TextPart[]; name?: string }
  | { role: 'developer'; content: string | TextPart[]; name?: string }
  | { role: 'user'; content: string | UserPart[]; name?: string }
  | AssistantMessage
  | { role: 'tool'; content: string | TextPart[]; tool_call_id: string }
  | { role: 'function'; content: string | null; name: string }

interface AssistantMessage {
  role: 'assistant'
  content?: string | (TextPart | { type: 'refusal'; refusal: string })[] | null
  name?: string
  refusal?: string | null
  audio?: { id: string } | null
  tool_calls?: ToolCall[]
  function_call?: { name: string; arguments: string } | null
}

type TextPart = { type: 'text'; text: string }
type UserPart =
  | TextPart
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } }

type ToolCall =
  | { type: 'function'; id: string; function: { name: string; arguments: string } }
  | { type: 'custom'; id: string; custom: { name: string; input: string } }

type OpenaiChatTool =
  | { type: 'function'; function: FunctionDefinition }
  | { type: 'custom'; custom: { name: string; description?: string } }

interface FunctionDefinition {
  name: string
  description?: string
  parameters?: JsonObject
  strict?: boolean | null
}
