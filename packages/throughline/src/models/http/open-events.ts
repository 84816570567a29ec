/**
 * A request sent, and the events of its answer as JSON. What is not taken is thrown, in the form
 * of the errors of the AI SDK, which our reading of failures knows.
 */
import { boundedFetch } from '../bounded-fetch.ts'
import { addressOf, type HttpEndpoint, keyHeaders } from './endpoint.ts'
import { otherShape } from './reply-errors.ts'
import { serverEvents } from './server-events.ts'

export async function* openEvents(
  endpoint: HttpEndpoint,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const response = await fetchBounded(addressOf(endpoint), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keyHeaders(endpoint) },
    body: JSON.stringify({ ...body, model: endpoint.model, stream: true }),
    signal,
    // A key is for the address that was named, not for wherever that leads.
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
    throw new Error('an event of the answer is no JSON')
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

/** 200, and no stream: the page of a proxy, or an error that calls itself an answer. */
async function otherAnswer(response: Response, type: string): Promise<Error> {
  const responseBody = await textOf(response)
  const error = otherShape(`the provider answered with ${type}, not with a stream of events`)
  // Only JSON can say why; a page would be told as if it did.
  return type.includes('json') ? Object.assign(error, { responseBody }) : error
}

async function textOf(response: Response): Promise<string> {
  return response.text().catch(() => '')
}
