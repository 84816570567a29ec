/**
 * A body of the Messages API, typed by its shape: `client.messages.create({ model, max_tokens,
 * ...anthropicMessages.write(context) })` compiles with `@anthropic-ai/sdk` and without a dependency on it.
 * Arrays are writable because the package's are.
 */

/** What `anthropicMessages.read` accepts: `system`, `messages` and `tools`; it ignores all other fields. */
export interface AnthropicMessagesRequestInput {
  readonly system?: string | readonly object[] | undefined
  readonly messages: readonly {
    readonly role: string
    readonly content: string | readonly object[]
  }[]
  readonly tools?: readonly object[] | undefined
}

/**
 * What `anthropicMessages.write` returns; add `model`, `max_tokens` and your other fields. Blocks, tools and
 * fields that `read` did not know are written back unchanged, although this type does not name them.
 */
export interface AnthropicMessagesRequest {
  system?: string | TextBlock[]
  messages: AnthropicMessage[]
  tools?: AnthropicTool[]
}

type AnthropicMessage = { role: 'user' | 'assistant'; content: string | Block[] }

type Block =
  | LeafBlock
  | ({ type: 'tool_use'; id: string; name: string; input: unknown } & Cached)
  | ({ type: 'tool_result'; tool_use_id: string } & ToolResult & Cached)
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }

interface Cached {
  cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' } | null
}

interface ToolResult {
  content?: string | LeafBlock[]
  is_error?: boolean
}

type TextBlock = { type: 'text'; text: string } & Cached
type LeafBlock =
  | TextBlock
  | ({ type: 'image'; source: ImageSource } & Cached)
  | ({ type: 'document'; source: DocumentSource; title?: string | null } & Cached)

type UrlSource = { type: 'url'; url: string }
type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
type ImageSource = UrlSource | { type: 'base64'; media_type: ImageType; data: string }
type DocumentSource =
  | UrlSource
  | { type: 'base64'; media_type: 'application/pdf'; data: string }
  | { type: 'text'; media_type: 'text/plain'; data: string }

type AnthropicTool = {
  name: string
  description?: string
  input_schema: { type: 'object'; [keyword: string]: unknown }
} & Cached
