/** Real clients of a fault server, with a short text for each result. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, generateText, type LanguageModel, streamText } from 'ai'
import type { ModelApiName } from './fault-server/responder.ts'

export type Way = 'whole' | 'stream'

export const apiNames: readonly ModelApiName[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
]

export function clientOf(
  api: ModelApiName,
  url: string,
  { model = 'any-model', apiKey = 'test-key' } = {},
): LanguageModel {
  const openai = createOpenAI({ baseURL: url, apiKey })
  if (api === 'openai-chat') return openai.chat(model)
  if (api === 'openai-responses') return openai.responses(model)
  return createAnthropic({ baseURL: url, apiKey })(model)
}

export interface Asking {
  readonly timeoutMs?: number
  readonly maxOutputTokens?: number
}

/** `stop "Yes."`, `429 again`, `200 final`, `lost again`, `timeout`. */
export function seenBy(model: LanguageModel, way: Way, asking: Asking = {}): Promise<string> {
  const settings = {
    model,
    system: 'You are brief.',
    prompt: 'What is the port?',
    maxOutputTokens: asking.maxOutputTokens ?? 64,
    maxRetries: 0,
    abortSignal: AbortSignal.timeout(asking.timeoutMs ?? 20_000),
  }
  return way === 'whole' ? seenWhole(settings) : seenStream(settings)
}

type Settings = Parameters<typeof generateText>[0] & { readonly prompt: string }

async function seenWhole(settings: Settings): Promise<string> {
  try {
    const { finishReason, text } = await generateText(settings)
    return finished(finishReason, text)
  } catch (error) {
    return failure(error)
  }
}

async function seenStream(settings: Settings): Promise<string> {
  let failed: unknown = null
  const { textStream, finishReason } = streamText({
    ...settings,
    onError: ({ error }) => {
      failed ??= error
    },
  })
  let text = ''
  try {
    for await (const piece of textStream) text += piece
    const finish = await finishReason
    return failed === null ? finished(finish, text) : failure(failed)
  } catch (error) {
    return failure(failed ?? error)
  }
}

function finished(finish: string, text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 10)}… ${text.length}` : text
  return `${finish} ${JSON.stringify(short)}`
}

function failure(error: unknown): string {
  if (APICallError.isInstance(error))
    return `${error.statusCode ?? 'lost'} ${error.isRetryable ? 'again' : 'final'}`
  if (!(error instanceof Error)) return `${error}`
  if (error.name === 'TimeoutError') return 'timeout'
  return 'statusCode' in error ? `${error.statusCode} in the stream` : error.name
}
