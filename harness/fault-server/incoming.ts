/** A request off the wire: who, where, and a body that is parsed if it can be. */
import type { IncomingMessage } from 'node:http'
import { parsedJson } from '../../packages/throughline/src/adapters/unknown-json.ts'
import type { Incoming } from './refusal.ts'

/** Anthropic's limit, and more than anybody means to send. */
const bodyBytesMax = 32 * 1024 * 1024

/** Null where the client left before it had said all. */
export async function readIncoming(request: IncomingMessage): Promise<Incoming | null> {
  const text = await readText(request)
  if (text === null) return null
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
  )
  return {
    method: request.method ?? '',
    path: (request.url ?? '').replace(/\?.*$/, ''),
    headers,
    text,
    body: text === undefined ? undefined : parsedJson(text),
  }
}

async function readText(request: IncomingMessage): Promise<string | undefined | null> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of request) {
      const bytes = chunk as Uint8Array
      sizeBytes += bytes.length
      // The rest is read and thrown away: a client that still writes hears no answer.
      if (sizeBytes <= bodyBytesMax) chunks.push(bytes)
    }
  } catch {
    return null
  }
  return sizeBytes > bodyBytesMax ? undefined : Buffer.concat(chunks).toString()
}
