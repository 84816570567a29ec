/**
 * Streams an answer over HTTP. The caller's body comes from an adapter; model, stream and key are added
 * here. All failures are thrown, and an answer that breaks off does not end as if it were complete.
 */
import { createParser } from 'eventsource-parser'
import { describe, isHttpAddress } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'
import { boundedFetch } from '../bounded-fetch.ts'
import { namedError, otherShapeName, tooLargeName } from '../language-model-failure.ts'
import { anthropicReply, openaiReply, type ReplyPart } from './read-reply.ts'

/**
 * Sends a request that an adapter wrote, and yields the answer as it arrives.
 *
 * @example
 * const endpoint = { api: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', key: null, model: 'qwen3:8b' } as const
 * for await (const part of streamReply(endpoint, { ...openaiChat.write(context) },
 * AbortSignal.timeout(60_000)))
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

/**
 * The events of an answer as JSON. Failures are thrown in the form of the AI SDK's errors, which
 * `failureOf` reads.
 */
async function* openEvents(
  endpoint: HttpEndpoint,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const response = await fetchBounded(addressOf(endpoint), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keyHeaders(endpoint) },
    body: JSON.stringify({ ...body, model: endpoint.model, stream: true }),
    signal,
    // The key is for the named address, not for wherever that redirects.
    redirect: 'error',
  })
  if (!response.ok) throw await refusal(response)
  const type = response.headers.get('content-type') ?? 'nothing'
  if (response.body === null || !type.includes('text/event-stream'))
    throw await otherAnswer(response, type)
  for await (const data of serverEvents(response.body, maxEventCharacters)) {
    if (data === '[DONE]') return
    yield parsed(data)
  }
}

const fetchBounded = boundedFetch()
const maxEventCharacters = 1_000_000

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw new Error('an event of the answer is not JSON')
  }
}

async function refusal(response: Response): Promise<Error> {
  const { status, statusText, headers } = response
  const responseBody = await textOf(response)
  return Object.assign(new Error(`${status} ${statusText}`.trim()), {
    statusCode: status,
    responseHeaders: Object.fromEntries(headers),
    responseBody,
  })
}

/** 200, but no stream: the page of a proxy, or an error that calls itself an answer. */
async function otherAnswer(response: Response, type: string): Promise<Error> {
  const responseBody = await textOf(response)
  const message = `the provider answered with ${type}, not with a stream of events`
  const error = namedError(otherShapeName, message)
  // Only JSON can say why; a page would be reported as if it did.
  return type.includes('json') ? Object.assign(error, { responseBody }) : error
}

async function textOf(response: Response): Promise<string> {
  return response.text().catch(() => '')
}

/**
 * Yields the data of a stream's events. An event beyond the limit fails while it is read, and so
 * does invalid UTF-8.
 */
export async function* serverEvents(body: AsyncIterable<Uint8Array>, maxEventCharacters: number) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let events: string[] = []
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      const message = `an event of the answer is longer than ${maxEventCharacters} characters`
      if (type === 'max-buffer-size-exceeded') throw namedError(tooLargeName, message)
    },
  })
  const shorten = shortComments()
  for await (const chunk of body) {
    parser.feed(shorten(decoder.decode(chunk, { stream: true })))
    yield* events
    events = []
  }
  // Some servers do not end their last event. A truncated one is not JSON, so it is refused.
  parser.feed(`${decoder.decode()}\n\n`)
  yield* events
}

/** The parser keeps a comment until its line ends; providers send comments as keep-alive. */
function shortComments(): (text: string) => string {
  let [isComment, isLineStart] = [false, true]
  return (text) =>
    text.replaceAll(/[^\r\n]+|[\r\n]+/g, (piece) => {
      const isFirst = isLineStart
      isLineStart = /^[\r\n]/.test(piece)
      if (isLineStart || isFirst) isComment = piece.startsWith(':')
      return isComment ? (isFirst ? ':' : '') : piece
    })
}

/**
 * `openai`: chat completions, which most servers speak, Ollama, vLLM and LM Studio among them.
 * `anthropic`: messages.
 */
export type HttpApi = 'openai' | 'anthropic'

export interface HttpEndpoint {
  readonly api: HttpApi
  /** With the version, as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Null where none is needed. */
  readonly key: string | null
  readonly model: string
}

function addressOf({ api, baseUrl }: HttpEndpoint): string {
  return `${baseUrl.replace(/\/+$/, '')}/${api === 'openai' ? 'chat/completions' : 'messages'}`
}

/** The headers that carry the key, and the version where the API wants one. See `streamReply`. */
export function keyHeaders({
  api,
  key,
}: Pick<HttpEndpoint, 'api' | 'key'>): Readonly<Record<string, string>> {
  if (api === 'anthropic')
    return { 'anthropic-version': '2023-06-01', ...(key !== null && { 'x-api-key': key }) }
  return key === null ? {} : { authorization: `Bearer ${key}` }
}

/** Throws for an invalid endpoint. No message contains the key. */
export function checkEndpoint({ api, baseUrl, key, model }: HttpEndpoint): void {
  if (api !== 'openai' && api !== 'anthropic')
    throw invalid(`api must be "openai" or "anthropic", got ${describe(api)}`)
  if (typeof baseUrl !== 'string' || !isHttpAddress(baseUrl))
    throw invalid(
      'baseUrl must be an http(s) URL without user name or password, as https://api.openai.com/v1',
    )
  if (key !== null && (typeof key !== 'string' || !/^[\u0021-\u007e]+$/.test(key)))
    throw invalid(
      'the key is empty, or contains a character that a header cannot, such as a line break',
    )
  if (typeof model !== 'string' || model.trim() === '')
    throw invalid('the name of a model cannot be empty')
}

function invalid(why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `a model over HTTP: ${why}`)
}
