/**
 * A model over HTTP, without any package. It has the shape of a model of the AI SDK, so that the same
 * limits of time and size and the same failures apply.
 */
import type { LanguageModel } from '../../ports/language-model.ts'
import { languageModel } from '../language-model.ts'
import type { AiSdkCall, AiSdkModel, LanguageModelOptions } from '../language-model-options.ts'
import type { ReplyPart } from './read-reply.ts'
import { checkEndpoint, type HttpApi, type HttpEndpoint, streamReply } from './stream-reply.ts'

/** The options of `httpModel`. */
export interface HttpModelOptions
  extends Omit<LanguageModelOptions, 'transfer' | 'provider' | 'continues'> {
  /** `openai`: chat completions, which most servers speak. `anthropic`: messages. */
  readonly api: HttpApi
  /** With the version, as `https://api.openai.com/v1` or `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string
  /** Omit it where the server needs none. */
  readonly key?: string | null | undefined
  readonly model: string
  /**
   * Whether to send the schema of an answer in JSON. By default only to OpenAI itself: other servers may
   * refuse it, and the prompt asks for the form in any case.
   */
  readonly sendsSchema?: boolean | undefined
}

/**
 * A model over HTTP that writes summaries, without any package: OpenAI, Anthropic, Ollama and their like.
 *
 * @example
 * const summarizer = httpModel({
 *   api: 'openai',
 *   baseUrl: 'http://127.0.0.1:11434/v1',
 *   model: 'qwen3:8b',
 *   card: { id: 'qwen3:8b', contextWindowTokens: 32_768 },
 * })
 */
export function httpModel(options: HttpModelOptions): LanguageModel {
  const { api, baseUrl, key = null, model, id, sendsSchema, ...rest } = options
  const endpoint: HttpEndpoint = { api, baseUrl, key, model }
  checkEndpoint(endpoint)
  const sendSchema = sendsSchema ?? new URL(baseUrl).hostname === 'api.openai.com'
  const sdkModel: AiSdkModel = {
    specificationVersion: 'v2',
    provider: api,
    modelId: model,
    doGenerate: () => Promise.reject(new Error('answers are streamed')),
    doStream: async (call) => ({
      stream: ReadableStream.from(partsOf(endpoint, call, sendSchema)),
    }),
  }
  return languageModel(sdkModel, { ...rest, ...(id !== undefined && { id }) })
}

async function* partsOf(endpoint: HttpEndpoint, call: AiSdkCall, sendSchema: boolean) {
  const body = { ...bodyOf(endpoint, call, sendSchema), ...replyLimits(endpoint, call) }
  for await (const part of streamReply(endpoint, body, call.abortSignal)) yield sdkPart(part)
}

function sdkPart(part: ReplyPart): object {
  switch (part.kind) {
    case 'text':
      return { type: 'text-delta', id: '0', delta: part.text }
    case 'reasoning':
      return { type: 'reasoning-delta', id: '0', delta: part.text }
    case 'model':
      return { type: 'response-metadata', modelId: part.model }
    case 'tool-call':
      return { type: 'tool-call', toolName: part.name }
    case 'end':
      return { type: 'finish', finishReason: part.finish, usage: part.usage }
  }
}

function bodyOf({ api }: HttpEndpoint, { prompt, responseFormat }: AiSdkCall, sendSchema: boolean) {
  const messages = prompt.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
  }))
  if (api === 'anthropic') {
    const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
    return {
      messages: messages.filter(({ role }) => role !== 'system'),
      ...(system.length > 0 && { system: system.join('\n\n') }),
    }
  }
  if (!sendSchema || responseFormat.type !== 'json') return { messages }
  const { schema, name } = responseFormat
  const format = { type: 'json_schema', json_schema: { name, schema, strict: true } }
  return { messages, response_format: format }
}

function replyLimits({ api, model }: HttpEndpoint, { maxOutputTokens, temperature }: AiSdkCall) {
  if (api === 'anthropic' || !reasoningModels.test(model))
    return { max_tokens: maxOutputTokens, temperature }
  // Reasoning models refuse a temperature and the old name of the limit, and count reasoning as output.
  return { max_completion_tokens: maxOutputTokens + reasoningTokens, reasoning_effort: 'low' }
}

/** OpenAI's reasoning models, by name, on any server. */
const reasoningModels = /^(?:openai\/)?(?:gpt-[5-9]|o\d)/
const reasoningTokens = 2_048
