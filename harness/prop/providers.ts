/** The five forms that a context is written in. */
import type { Adapter, Deliverable, Reading } from 'throughline'
import {
  aiSdk,
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from 'throughline/adapters'

/** An adapter whose request is only looked at, never known by its type. */
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
    // A border: only what its own `write` or its own samples gave is handed to it.
    read: (request) => adapter.read(request as Request),
    problems: (request) =>
      adapter.problems(request).map(({ rule, at, message }) => `${rule} ${at} ${message}`),
  }
}
