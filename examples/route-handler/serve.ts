/** Serves the handler without Next.js: `node serve.ts`. */
import { createServer } from 'node:http'
import { GET, POST } from './route.ts'

const port = Number(process.env['PORT'] ?? 3000)
const server = createServer(async (incoming, outgoing) => {
  const { method = 'GET', url = '/' } = incoming
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const init = method === 'POST' ? { method, body: Buffer.concat(chunks) } : { method }
  const request = new Request(new URL(url, `http://127.0.0.1:${port}`), init)
  const response = method === 'POST' ? await POST(request) : await GET(request)
  outgoing.writeHead(response.status, { 'content-type': 'application/json' })
  outgoing.end(await response.text())
})
server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/api/chat`))
