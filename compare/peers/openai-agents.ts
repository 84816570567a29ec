/** The OpenAI Agents SDK with its compaction session, whose compaction a script answers as documented. */
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  OpenAIResponsesCompactionSession,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import OpenAI from 'openai'
import { agentModel, apiKey, type ChatMessage, type Opening, type OpenSession } from '../session.ts'

setTracingDisabled(true)

export const compaction: OpenSession = async (opening) => {
  const { url, system } = opening
  const client = new OpenAI({ baseURL: url, apiKey, maxRetries: 1, fetch: withCompaction(opening) })
  const agent = new Agent({
    name: 'engineer',
    instructions: system,
    tools: toolsOf(opening),
    model: new OpenAIResponsesModel(client as never, agentModel),
  })
  const underlyingSession = new MemorySession()
  const session = new OpenAIResponsesCompactionSession({
    client: client as never,
    underlyingSession,
    model: agentModel,
    compactionMode: 'input',
  })
  const runner = new Runner({ tracingDisabled: true })
  return {
    load: async (messages) => underlyingSession.addItems(messages.flatMap(itemsOf)),
    turn: async (text) => {
      await runner.run(agent, text, { session, maxTurns: 100 })
    },
    close: async () => {},
  }
}

function toolsOf({ tools, runTool }: Opening) {
  return tools.map(({ name, description, parameters }) =>
    tool({
      name,
      description,
      strict: false,
      parameters: { ...parameters, additionalProperties: true } as never,
      execute: async (input) => runTool(name, input as Record<string, unknown>),
    }),
  )
}

/**
 * OpenAI's service keeps the user's messages and replaces everything else with an item that only it can
 * read. No server runs here that could read it, so its content counts as nothing.
 */
function withCompaction({ fetch }: Opening): typeof fetch {
  let compactions = 0
  return async (url, request) => {
    if (!String(url).endsWith('/responses/compact')) return fetch(url, request)
    const { input } = JSON.parse(String(request?.body)) as { readonly input: readonly Item[] }
    compactions += 1
    const kept = input.filter(({ role }) => role === 'user')
    const output = [
      // The SDK sends nothing before it, and would then never compact again.
      { type: 'compaction', id: `cmp_${compactions}`, encrypted_content: 'sealed' },
      ...kept.map((item, index) => ({
        type: 'message',
        id: `msg_${compactions}_${index}`,
        status: 'completed',
        role: 'user',
        content: [{ type: 'input_text', text: textOf(item) }],
      })),
    ]
    const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
    const body = { id: 'resp_1', object: 'response.compaction', created_at: 1, output, usage }
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  }
}

interface Item {
  readonly role?: string
  readonly content?: string | readonly { readonly text?: string }[]
}

function textOf({ content = '' }: Item): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n')
}

function itemsOf(message: ChatMessage): readonly AgentInputItem[] {
  if (message.role === 'tool')
    return [
      {
        type: 'function_call_result',
        callId: message.tool_call_id,
        name: 'read_file',
        status: 'completed',
        output: { type: 'text', text: message.content },
      },
    ]
  if (message.role !== 'assistant') return [{ role: 'user', content: message.content }]
  const text = message.content ?? ''
  const spoken: readonly AgentInputItem[] =
    text === ''
      ? []
      : [{ role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }]
  return [
    ...spoken,
    ...(message.tool_calls ?? []).map(
      ({ id, function: { name, arguments: input } }): AgentInputItem => ({
        type: 'function_call',
        callId: id,
        name,
        arguments: input,
        status: 'completed',
      }),
    ),
  ]
}
