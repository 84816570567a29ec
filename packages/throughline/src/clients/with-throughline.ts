/**
 * Wraps an official client: its requests are fitted before they are sent, and its replies recorded as they
 * are read. Every method that ends in one of the recorded requests is covered, such as `stream` and `parse`.
 */
import { type Fields, isObject } from '../adapters/unknown-json.ts'
import { createFinder } from '../calls/find-conversation.ts'
import { type CallOptions, checkCallOptions, conversationOf } from '../calls/options.ts'
import { readMessages } from '../calls/read-messages.ts'
import { openRequest } from '../calls/recorded-request.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import { apiAt } from './client-api.ts'
import { type OpenCall, openCallKey, recordingFetch } from './recording-fetch.ts'

/** A call of a wrapped client, as passed to a function that names its conversation. */
interface ClientCall {
  /** The body of the request, as your program passed it. */
  readonly body: Readonly<Record<string, unknown>>
}

/** A client of the `openai` or `@anthropic-ai/sdk` package, or one that was made by the same generator. */
interface WrappableClient {
  withOptions(options: { readonly fetch: typeof globalThis.fetch }): unknown
}

/** What the client has at run time, beside its typed methods. */
interface ClientParts {
  fetch?: typeof globalThis.fetch
  withOptions: (options: object) => ClientParts
  request: (options: unknown, ...others: readonly unknown[]) => unknown
}

/**
 * A client like the given one, whose calls are recorded in a conversation and fit the model's window: those of
 * `chat.completions` and `responses` of OpenAI, and of `messages` of Anthropic, whole and streamed.
 *
 * @example
 * // const client = withThroughline(new OpenAI(), { engine: tl, conversation: 'invoice-7' })
 * // await client.chat.completions.create({ model: 'gpt-5-mini', messages })
 */
export function withThroughline<Client extends WrappableClient>(
  client: Client,
  options: CallOptions<ClientCall>,
): Client {
  const settings = checkCallOptions(options, 'withThroughline')
  const parts = client as unknown as ClientParts
  if (typeof parts?.withOptions !== 'function' || typeof parts.request !== 'function')
    throw invalidOption(
      'withThroughline: the client must be one of the openai or @anthropic-ai/sdk package, such as new OpenAI()',
    )
  const finder = createFinder(settings)

  const opened = async (given: unknown): Promise<unknown> => {
    const request = (await given) as Fields
    const { path, body, fetchOptions } = request
    const api = request['method'] === 'post' ? apiAt(`${path}`) : null
    if (api === null || !isObject(body)) return request
    const { system, tools, messages } = api.read(body)
    const recorded = await openRequest(finder, {
      conversation: await conversationOf(settings, { body }, undefined, ''),
      stamp: null,
      model: settings.model ?? `${body['model']}`,
      system,
      tools,
      replyTokens: api.replyTokens(body),
      messages: readMessages({ system, tools, messages }),
    })
    const call: OpenCall = { api, body, recorded }
    return {
      ...request,
      body: api.write(body, recorded.context),
      fetchOptions: { ...(fetchOptions as object | undefined), [openCallKey]: call },
    }
  }

  const fetch = parts.fetch ?? globalThis.fetch
  const wrapped = parts.withOptions({ fetch: recordingFetch(fetch) })
  const { request, withOptions } = wrapped
  wrapped.request = (given, ...others) => request.call(wrapped, opened(given), ...others)
  // Otherwise a client with other options would send its calls unrecorded.
  wrapped.withOptions = (more) =>
    withThroughline(withOptions.call(wrapped, { fetch, ...more }), options)
  return wrapped as unknown as Client
}
