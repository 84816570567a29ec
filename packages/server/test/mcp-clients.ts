/** Clients over MCP as agents have them: real processes, real sockets, and every version of the protocol. */
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import type { StartedGateway } from '../../../harness/gateway/started-gateway.ts'

/** The versions that clients speak: without sessions, that of Claude Code, and that of Codex. */
export const versions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const
export type Version = (typeof versions)[number]

export function createClient(version: Version): Client {
  const implementation = { name: 'test', version: '1' }
  return version === '2026-07-28'
    ? new Client(implementation, { versionNegotiation: { mode: { pin: version } } })
    : new Client(implementation, { supportedProtocolVersions: [version] })
}

const program = join(import.meta.dirname, '../../throughline/bin/throughline.js')

/** `throughline mcp`, beside the server that runs on the folder. */
export async function overStdio(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  version: Version = '2025-11-25',
): Promise<Client> {
  const client = createClient(version)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--conditions=throughline-source', program, 'mcp', '--folder', folder],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

export async function overHttp(
  { url, key }: Pick<StartedGateway, 'url' | 'key'>,
  version: Version = '2025-11-25',
): Promise<Client> {
  const client = createClient(version)
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { 'x-throughline-key': key } },
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

export interface ToolAnswer {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>> | null
  readonly isError: boolean
}

export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  meta: Readonly<Record<string, unknown>> = {},
): Promise<ToolAnswer> {
  const answer = await client.callTool({ name, arguments: args, _meta: meta })
  const [first] = answer.content as readonly { readonly type: string; readonly text?: string }[]
  const data = (answer.structuredContent as Readonly<Record<string, unknown>> | undefined) ?? null
  return { text: first?.text ?? '', data, isError: answer.isError === true }
}

interface Turn {
  readonly conversation: string
  readonly decision: string
  /** The id of the tool call in the answer; null without one. */
  readonly callId: string | null
}

type Message = { readonly role: string; readonly content: unknown }

/** A client of the gateway that sends its whole history each time, as Claude Code does. */
export function createSession(
  gateway: StartedGateway,
  headers: Readonly<Record<string, string>>,
): { say(text: string): Promise<Turn> } {
  const history: Message[] = []
  return {
    say: async (text) => {
      history.push({ role: 'user', content: text })
      const response = await fetch(`${gateway.url}/v1/messages`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-throughline-key': gateway.key },
          ...{ 'x-api-key': 'own', 'anthropic-version': '2023-06-01', ...headers },
        },
        body: JSON.stringify({ model: 'small', max_tokens: 100, messages: history }),
      })
      const answer = (await response.json()) as { readonly content: readonly Block[] }
      history.push({ role: 'assistant', content: answer.content })
      const call = answer.content.find(({ type }) => type === 'tool_use')
      if (call !== undefined)
        history.push({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: call.id, content: 'done' }],
        })
      return {
        conversation: response.headers.get('x-throughline-conversation') ?? '',
        decision: response.headers.get('x-throughline-decision') ?? '',
        callId: call?.id ?? null,
      }
    },
  }
}

interface Block {
  readonly type: string
  readonly id?: string
}
