/** The five request formats of a context. */
import type { Adapter, Deliverable, Reading } from 'throughline'
import {
  aiSdk,
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from 'throughline/adapters'

/** An adapter whose request type is not known here. */
export interface Provider {
  readonly format: ProviderFormat
  write(context: Deliverable): object
  read(request: object): Reading
  problems(request: object): readonly string[]
}

export type ProviderFormat =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini-contents'
  | 'ai-sdk'

export const providers: readonly [Provider, ...Provider[]] = [
  provider('openai-chat', openaiChat),
  provider('openai-responses', openaiResponses),
  provider('anthropic-messages', anthropicMessages),
  provider('gemini-contents', geminiContents),
  provider('ai-sdk', aiSdk),
]

function provider<Request extends object>(
  format: ProviderFormat,
  adapter: Adapter<Request>,
): Provider {
  return {
    format,
    write: (context) => adapter.write(context),
    // Safe cast: it only reads its own output or its own samples.
    read: (request) => adapter.read(request as Request),
    problems: (request) =>
      adapter.problems(request).map(({ rule, at, message }) => `${rule} ${at} ${message}`),
  }
}
