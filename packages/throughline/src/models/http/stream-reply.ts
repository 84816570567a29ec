/**
 * Asks a model over HTTP and gives its answer as it comes. The body is the caller's, in the form of
 * the API, as an adapter writes it; the model, the stream and the key are added here. Whatever goes
 * wrong is thrown, and an answer that breaks off does not end as if it were whole.
 */
import { anthropicReply } from './anthropic-reply.ts'
import type { HttpEndpoint } from './endpoint.ts'
import { openEvents } from './open-events.ts'
import { openaiReply } from './openai-reply.ts'
import type { ReplyPart } from './reply-part.ts'

/**
 * Sends a request that an adapter wrote, and yields the answer as it comes.
 *
 * @example
 * const endpoint = { api: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', key: null, model: 'qwen3:8b' } as const
 * for await (const part of streamReply(endpoint, { ...openaiChat.write(context) }, signal))
 *   if (part.kind === 'text') process.stdout.write(part.text)
 */
export async function* streamReply(
  endpoint: HttpEndpoint,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): AsyncGenerator<ReplyPart> {
  const isOpenai = endpoint.api === 'openai'
  const asked = isOpenai ? { ...body, stream_options: { include_usage: true } } : body
  const reader = isOpenai ? openaiReply() : anthropicReply()
  for await (const event of openEvents(endpoint, asked, signal)) yield* reader.parts(event)
  const end = reader.end()
  if (end === null) throw new Error('the answer ended before the model had finished')
  yield end
}
