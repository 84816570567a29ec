/** The live services: address, key, settings, and a request that each must refuse. */
import {
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from '../../src/adapters/http-adapters.ts'
import type { Deliverable } from '../../src/domain/context.ts'
import type { RequestProblem } from '../../src/ports/adapter.ts'

export interface Service {
  readonly name: string
  /** The environment variable that holds the key. */
  readonly variable: string
  readonly address: string
  readonly headers: (key: string) => Readonly<Record<string, string>>
  /** Fields that a body needs and the adapter does not write. */
  readonly settings: object
  readonly write: (context: Deliverable) => object
  readonly problems: (request: unknown) => readonly RequestProblem[]
  /** A request that breaks a rule: a call without a result. */
  readonly broken: object
}

// Environment variables replace models that are no longer served.
const { OPENAI_MODEL, ANTHROPIC_MODEL, GEMINI_MODEL } = process.env
const openaiModel = OPENAI_MODEL ?? 'gpt-5.4-nano'
const anthropicModel = ANTHROPIC_MODEL ?? 'claude-haiku-4-5'
const geminiModel = GEMINI_MODEL ?? 'gemini-flash-latest'

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const question = { role: 'user', content: 'Read the file.' }

export const services: readonly Service[] = [
  {
    name: 'OpenAI chat completions',
    variable: 'OPENAI_API_KEY',
    address: 'https://api.openai.com/v1/chat/completions',
    headers: bearer,
    settings: { model: openaiModel, max_completion_tokens: 512 },
    write: openaiChat.write,
    problems: openaiChat.problems,
    broken: {
      messages: [
        question,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        question,
      ],
    },
  },
  {
    name: 'OpenAI responses',
    variable: 'OPENAI_API_KEY',
    address: 'https://api.openai.com/v1/responses',
    headers: bearer,
    settings: { model: openaiModel, max_output_tokens: 512, store: false },
    write: openaiResponses.write,
    problems: openaiResponses.problems,
    broken: {
      input: [
        question,
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        question,
      ],
    },
  },
  {
    name: 'Anthropic messages',
    variable: 'ANTHROPIC_API_KEY',
    address: 'https://api.anthropic.com/v1/messages',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    settings: { model: anthropicModel, max_tokens: 64 },
    write: anthropicMessages.write,
    problems: anthropicMessages.problems,
    broken: {
      messages: [
        question,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
        question,
      ],
    },
  },
  {
    name: 'Gemini contents',
    variable: 'GEMINI_API_KEY',
    address: `https://generativelanguage.googleapis.com/v1beta/models/${geminiModel}:generateContent`,
    headers: (key) => ({ 'x-goog-api-key': key }),
    settings: { generationConfig: { maxOutputTokens: 512 } },
    write: geminiContents.write,
    problems: geminiContents.problems,
    broken: {
      contents: [
        { role: 'user', parts: [{ text: 'Read the file.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
        { role: 'user', parts: [{ text: 'Well?' }] },
      ],
    },
  },
]

/** Returns the status and the body of the answer. */
export async function send(
  { address, headers, settings }: Service,
  key: string,
  request: object,
): Promise<{ readonly status: number; readonly body: string }> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers(key) },
    body: JSON.stringify({ ...settings, ...request }),
  })
  return { status: response.status, body: (await response.text()).slice(0, 2_000) }
}
