/** A model server for a run without a key: it speaks OpenAI's chat completions. */
import { createServer } from 'node:http'

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { messages = [] } = JSON.parse(body || '{}') as { readonly messages?: readonly unknown[] }
  const message = { role: 'assistant', content: `I got ${messages.length} messages.` }
  const usage = { prompt_tokens: 10 * messages.length, completion_tokens: 6 }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      model: 'any',
      usage,
    }),
  )
})
server.listen(Number(process.env['MODEL_PORT'] ?? 4010), '127.0.0.1')
