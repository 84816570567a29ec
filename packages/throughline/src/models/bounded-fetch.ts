/** Bounds a response, because a provider's client reads an error or a stream event whole. */
import { describe } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import { namedError, tooLargeName } from './language-model-failure.ts'

/** The options of `boundedFetch`. */
export interface BoundedFetchOptions {
  /** Largest response. 8 MiB by default, because streams spend many bytes on a word. */
  readonly maxBytes?: number | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * A fetch that stops reading at a limit, for a provider of the AI SDK.
 *
 * @example
 * const fetch = boundedFetch({ maxBytes: 4 * 1024 * 1024 })
 * // createOpenAI({ fetch })
 */
export function boundedFetch(options: BoundedFetchOptions = {}): typeof globalThis.fetch {
  const { maxBytes = 8 * 1024 * 1024 } = options
  if (!Number.isSafeInteger(maxBytes) || maxBytes <= 0)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `boundedFetch: maxBytes must be a positive whole number, got ${describe(maxBytes)}`,
    )
  return async (input, init) => {
    // Looked up at each call, as providers do, because a host may replace it.
    const response = await (options.fetch ?? globalThis.fetch)(input, init)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(limit(maxBytes)), { status, statusText, headers })
  }
}

function limit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= maxBytes) controller.enqueue(chunk)
      // This also cancels the body, and with it the connection.
      else
        controller.error(namedError(tooLargeName, `the response is larger than ${maxBytes} bytes`))
    },
  })
}
