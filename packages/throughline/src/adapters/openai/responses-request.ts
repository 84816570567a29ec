/**
 * A body of /v1/responses, typed by its shape: `client.responses.create({ model,
 * ...openaiResponses.write(context) })` compiles with the `openai` package and without a dependency on it.
 * Arrays are writable because the package's are.
 */
import type { JsonObject } from '../../domain/json.ts'

/** What `openaiResponses.read` accepts: `instructions`, `input` and `tools`; it ignores all other fields. */
export interface OpenaiResponsesRequestInput {
  readonly instructions?: string | null | undefined
  /** Optional as in the `openai` package; `read` refuses a request without it. */
  readonly input?:
    | string
    | readonly {
        readonly type?: unknown
        readonly role?: unknown
        readonly content?: unknown
        readonly id?: unknown
        readonly call_id?: unknown
      }[]
    | undefined
  readonly tools?: readonly object[] | undefined
}

/**
 * What `openaiResponses.write` returns; add `model` and your other fields. Items, blocks and fields that
 * `read` did not know are written back unchanged, although this type does not name them.
 */
export interface OpenaiResponsesRequest {
  instructions?: string
  input: string | OpenaiResponsesItem[]
  tools?: OpenaiResponsesTool[]
}

type OpenaiResponsesItem =
  | MessageItem
  | { type: 'function_call'; call_id: string; name: string; arguments: string; id?: string }
  | { type: 'function_call_output'; call_id: string; output: string | OutputPart[] }
  | { type: 'custom_tool_call'; call_id: string; name: string; input: string; id?: string }
  | { type: 'custom_tool_call_output'; call_id: string; output: string | OutputPart[] }
  | ReasoningItem

interface MessageItem {
  type?: 'message'
  role: 'user' | 'assistant' | 'system' | 'developer'
  content: string | OutputPart[]
}

interface ReasoningItem {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
  encrypted_content?: string | null
}

type OutputPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; detail: 'auto' | 'low' | 'high'; image_url?: string | null }
  | { type: 'input_file'; filename?: string; file_data?: string; file_url?: string }

type OpenaiResponsesTool =
  | {
      type: 'function'
      name: string
      description?: string | null
      parameters: JsonObject | null
      strict: boolean | null
    }
  | { type: 'custom'; name: string; description?: string }
