/** Sends a request upstream. */
import { Refusal } from '../problem.ts'
import type { GatewayRequest, GatewayShared } from './gateway-request.ts'
import type { UpstreamResponse } from './upstream.ts'

/** Sends the request as it is. */
export async function passOn(called: GatewayRequest, shared: GatewayShared): Promise<Response> {
  const left = new AbortController()
  const answer = await sendUpstream(called, called.bytes, shared, left)
  return new Response(streamOf(answer, left), { status: answer.status, headers: answer.headers })
}

/** Throws a refusal where there is no answer. `body`: other bytes than those of the client are not compressed. */
export async function sendUpstream(
  { request, path, headers, bytes }: GatewayRequest,
  body: Uint8Array | string | null,
  { upstreams }: GatewayShared,
  left: AbortController,
): Promise<UpstreamResponse> {
  request.signal.addEventListener('abort', () => left.abort(), { once: true })
  if (request.signal.aborted) throw new Refusal('CLIENT_LEFT')
  const sent = new Headers(headers)
  if (body !== bytes) sent.delete('content-encoding')
  try {
    const answer = await upstreams.send(path.call.family, {
      ...{ method: request.method, path: path.path, headers: sent, body, signal: left.signal },
    })
    if (answer.status < 300 || answer.status >= 400) return answer
    answer.body.destroy()
  } catch {
    if (request.signal.aborted) throw new Refusal('CLIENT_LEFT')
    throw new Refusal('UPSTREAM_FAILED')
  }
  // A client that follows it would send its key to another place.
  throw new Refusal(
    'UPSTREAM_FAILED',
    'the upstream answered with a redirect, which is not followed',
  )
}

function streamOf({ body }: UpstreamResponse, left: AbortController): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => left.abort(),
    },
    { highWaterMark: 0 },
  )
}
