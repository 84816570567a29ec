/** A model that answers with half a sentence, and with the other half when it may finish. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export function scriptedUpstream() {
  const asked: string[] = []
  const { promise: mayFinish, resolve: finish } = Promise.withResolvers<void>()
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', async () => {
      asked.push(body)
      const chunk = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'model', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk({ role: 'assistant', content: 'On the 3rd' }, null))
      await mayFinish
      response.end(`${chunk({ content: ' of May.' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
    })
  })
  const url = new Promise<string>((resolve) => {
    http.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`),
    )
  })
  return { asked, url, finish, close: () => void http.close() }
}
