/** Reads a JSON body within limits on its size, depth and number of values. */
import { Refusal } from './problem.ts'

export interface BodyLimits {
  readonly maxBodyBytes: number
  readonly maxDepth: number
  readonly maxValues: number
}

export async function readBody(
  request: Request,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<string> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(?:;|$)/i.test(type)) throw new Refusal('TYPE_REFUSED')
  if (request.headers.has('content-encoding'))
    throw new Refusal('TYPE_REFUSED', 'compressed bodies are not accepted')
  if (Number(request.headers.get('content-length') ?? 0) > limits.maxBodyBytes)
    throw new Refusal('BODY_TOO_LARGE')
  const bytes = await bytesOf(request, limits.maxBodyBytes, signal)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('JSON_INVALID', 'the body is not UTF-8')
  }
}

export async function bytesOf(
  { body }: Request,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  // A client that sends slowly must not hold the request open after its time.
  const cancel = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return Buffer.concat(chunks)
      size += value.byteLength
      if (size > maxBytes) throw new Refusal('BODY_TOO_LARGE')
      chunks.push(value)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    reader.releaseLock()
  }
}

export function parseJson(text: string, { maxDepth, maxValues }: BodyLimits): unknown {
  // Before parsing: the parser would build millions of values first.
  let depth = 0
  let values = 0
  let inText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inText) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) inText = false
    } else if (code === 0x22) inText = true
    else if (code === 0x5b || code === 0x7b) depth += 1
    else if (code === 0x5d || code === 0x7d) depth -= 1
    else if (code === 0x2c) values += 1
    if (depth > maxDepth) throw new Refusal('JSON_INVALID', `more than ${maxDepth} levels deep`)
    if (values > maxValues) throw new Refusal('JSON_INVALID', `more than ${maxValues} values`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('JSON_INVALID', 'the body is not JSON')
  }
  // To the schemas, an array is an object without fields.
  if (Array.isArray(value)) throw new Refusal('BODY_INVALID', 'the body is not an object')
  return value
}
