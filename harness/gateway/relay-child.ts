/** A bare relay with undici, for comparison: passes everything to the upstream of its parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'

const [, , , upstream = ''] = process.argv
const agent = new Agent()
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const answer = await agent.request({
    ...{ origin: upstream, path: request.url ?? '/', method: 'POST' },
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(chunks),
  })
  response.writeHead(answer.statusCode, { 'content-type': 'application/json' })
  answer.body.pipe(response)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}`, firstKey: null })
})
