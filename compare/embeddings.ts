/**
 * A server of OpenAI's embeddings on the loopback address: the terms of a text, hashed into numbers. For clients that
 * take no `fetch`, it also answers chat completions, always with the same fact.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { termsOf } from '../packages/throughline/src/extract/terms.ts'

const dimensions = 256

export async function createEmbeddings() {
  const server = createServer(async (request, response) => {
    const asked = await text(request)
    response.setHeader('content-type', 'application/json')
    if (request.url?.endsWith('/chat/completions')) return response.end(fact)
    const { input, encoding_format } = JSON.parse(asked) as Asked
    const data = [input].flat().map((each, index) => {
      const vector = vectorOf(each)
      const base64 = () => Buffer.from(Float32Array.from(vector).buffer).toString('base64')
      return {
        object: 'embedding',
        index,
        embedding: encoding_format === 'base64' ? base64() : vector,
      }
    })
    const usage = { prompt_tokens: 1, total_tokens: 1 }
    return response.end(JSON.stringify({ object: 'list', data, model: 'hashed-terms', usage }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const fact = JSON.stringify({
  id: 'fact',
  object: 'chat.completion',
  created: 1,
  model: 'scripted',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        content: '{"memory": [{"id": "0", "text": "The user asked for a change."}]}',
      },
    },
  ],
})

interface Asked {
  readonly input: string | readonly string[]
  readonly encoding_format?: string
}

function vectorOf(words: string): readonly number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const term of termsOf(words)) {
    let hash = 7
    for (const letter of term) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
