/** A model of the AI SDK behind a fault server, as a program would hand it in. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { boundedFetch, type LanguageModel, languageModel } from 'throughline/models'
import type { ModelApiName } from '../fault-server.ts'

export interface AskedModel {
  readonly url: string
  readonly api: ModelApiName
  readonly transfer: 'stream' | 'whole'
  readonly timeoutMs: number
  /** Null: as the AI SDK reads it. */
  readonly maxBytes: number | null
  /** Says for which step a request is sent, in a header: a late one is not counted for another. */
  readonly step: () => number
}

export const stepHeader = 'x-step'

export function askedModel(asked: AskedModel): LanguageModel {
  const { transfer, timeoutMs } = asked
  return languageModel(sdkModel(asked), { transfer, timeoutMs })
}

function sdkModel({ url, api, maxBytes, step }: AskedModel) {
  const marked: typeof globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set(stepHeader, String(step()))
    return globalThis.fetch(input, { ...init, headers })
  }
  const fetch = maxBytes === null ? marked : boundedFetch({ maxBytes, fetch: marked })
  const options = { baseURL: url, apiKey: 'test-key', fetch }
  switch (api) {
    case 'openai-chat':
      return createOpenAI(options).chat('gpt-4.1-mini')
    case 'openai-responses':
      return createOpenAI(options).responses('gpt-4.1')
    case 'anthropic-messages':
      return createAnthropic(options)('claude-haiku-4-5')
  }
}
