/** A proxy between a client and the gateway that keeps what the client sent and what the gateway decided. */
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A header by which the upstream's call is known to be that of the client. */
export const numberHeader = 'x-tap-number'

export interface TappedCall {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly status: number
  readonly decision: string
  readonly conversation: string
}

export interface Tap {
  readonly url: string
  readonly calls: readonly TappedCall[]
  close(): Promise<void>
}

export async function startTap(target: string): Promise<Tap> {
  const calls: TappedCall[] = []
  let last = -1
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    last += 1
    const number = last
    const { method = 'GET', url: path = '/', headers } = request
    const numbered = { ...headers, [numberHeader]: String(number) }
    const onward = httpRequest(target + path, { method, headers: numbered })
    onward.on('response', (answer) => {
      const { statusCode: status = 0, headers: answered } = answer
      const textOf = (name: string) => String(answered[name] ?? '')
      calls.push({
        ...{ number, method, path, headers, body, status },
        decision: textOf('x-throughline-decision'),
        conversation: textOf('x-throughline-conversation'),
      })
      response.writeHead(status, answered)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://127.0.0.1:${port}`, calls },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
