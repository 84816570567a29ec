/** An MCP server with a few tools, one of which repeats its argument. Started by the clients. */
import { createInterface } from 'node:readline'

const names = ['repeat', 'weather', 'calendar', 'contacts', 'invoices', 'parcels', 'meters', 'maps']
const tools = names.map((name) => ({
  name,
  description: `The tool ${name} of the probe. It takes a text and repeats it.`,
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'What to repeat.' } },
    required: ['text'],
  },
}))

type Call = {
  readonly id?: number | string
  readonly method: string
  readonly params?: {
    readonly protocolVersion?: string
    readonly arguments?: { readonly text?: string }
  }
}

function resultOf({ method, params }: Call): object | null {
  if (method === 'initialize')
    return {
      protocolVersion: params?.protocolVersion ?? '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'probe', version: '1.0.0' },
    }
  if (method === 'tools/list') return { tools }
  if (method === 'tools/call')
    return { content: [{ type: 'text', text: `probe says: ${params?.arguments?.text}` }] }
  return method === 'ping' ? {} : null
}

for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line) as Call
  if (call.id === undefined) continue
  const result = resultOf(call)
  const error = { code: -32_601, message: `no method ${call.method}` }
  const answer = { jsonrpc: '2.0', id: call.id, ...(result === null ? { error } : { result }) }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
