/** Sends requests to a sample world over a loopback connection, with any header. */
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Answered } from './operations.ts'
import type { SampleWorld, Sent } from './sample-world.ts'

export function overHttp({ server, secrets }: SampleWorld) {
  const listening = Promise.withResolvers<AddressInfo>()
  const http = serve({ fetch: (asked) => server.fetch(asked), port: 0 }, listening.resolve)
  const send = async ({ method, path, key, text, headers }: Sent): Promise<Answered> => {
    const { port } = await listening.promise
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ host: '127.0.0.1', port, method, path },
          headers: {
            ...(key !== null && { authorization: `Bearer ${key ?? secrets.admin}` }),
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
            ...headers,
          },
        },
        (answer) => {
          const { statusCode: status = 0 } = answer
          const type = answer.headers['content-type'] ?? ''
          let body = ''
          answer.setEncoding('utf8')
          answer.on('data', (chunk: string) => {
            body += chunk
            if (type.startsWith('text/event-stream')) answer.destroy()
          })
          answer.on('close', () => resolve({ status, type, text: body }))
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  }
  const close = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve())
      if ('closeAllConnections' in http) http.closeAllConnections()
    })
  return { send, close }
}
