/** LangChain: an agent with trimmed or summarized messages, and LangGraph's checkpoints in SQLite. */
import { join } from 'node:path'
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
  trimMessages,
} from '@langchain/core/messages'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { ChatOpenAI } from '@langchain/openai'
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  summarizationMiddleware,
  tool,
} from 'langchain'
import {
  agentModel,
  apiKey,
  type ChatMessage,
  type Opening,
  type OpenSession,
  summarizerModel,
} from '../session.ts'

const agents =
  (middleware: (opening: Opening) => AgentMiddleware): OpenSession =>
  async (opening) => {
    const { folder, system } = opening
    const checkpointer = SqliteSaver.fromConnString(join(folder, 'checkpoints.db'))
    const agent = createAgent({
      model: modelNamed(agentModel, opening),
      tools: toolsOf(opening),
      systemPrompt: system,
      checkpointer,
      middleware: [middleware(opening)],
    })
    const config = { configurable: { thread_id: 'compare' }, recursionLimit: 200 }
    return {
      load: async (messages) => {
        await agent.graph.updateState(config, { messages: messages.map(langchainMessage) })
      },
      turn: async (text) => {
        await agent.invoke({ messages: [{ role: 'user', content: text }] }, config)
      },
      close: async () => {},
    }
  }

function modelNamed(model: string, { url, fetch }: Opening): ChatOpenAI {
  // The default of six retries waits for minutes.
  return new ChatOpenAI({ model, apiKey, maxRetries: 1, configuration: { baseURL: url, fetch } })
}

function toolsOf({ tools, runTool }: Opening) {
  return tools.map(({ name, description, parameters }) =>
    tool(async (input: Record<string, unknown>) => runTool(name, input), {
      name,
      description,
      schema: parameters as never,
    }),
  )
}

function langchainMessage(message: ChatMessage): BaseMessage {
  if (message.role === 'tool')
    return new ToolMessage({ content: message.content, tool_call_id: message.tool_call_id })
  if (message.role !== 'assistant') return new HumanMessage(message.content)
  const calls = message.tool_calls ?? []
  return new AIMessage({
    content: message.content ?? '',
    tool_calls: calls.map(({ id, function: { name, arguments: input } }) => ({
      id,
      name,
      args: JSON.parse(input),
      type: 'tool_call',
    })),
  })
}

/** As documented: the newest messages that fit, from a user message on; all are kept in the state. */
const trimming = ({ windowTokens }: Opening) =>
  createMiddleware({
    name: 'TrimMessages',
    wrapModelCall: async (request, handler) => {
      const messages = await trimMessages(request.messages, {
        strategy: 'last',
        maxTokens: windowTokens * 0.8,
        tokenCounter: approximateTokens,
        startOn: 'human',
        includeSystem: true,
      })
      return handler({ ...request, messages })
    },
  })

/** Three characters a token, with calls: the documented counters ask a server or count too little. */
function approximateTokens(messages: readonly BaseMessage[]): number {
  return messages.reduce((sum, message) => {
    const calls = AIMessage.isInstance(message) ? JSON.stringify(message.tool_calls ?? []) : ''
    return sum + Math.ceil((message.text.length + calls.length) / 3) + 4
  }, 0)
}

const summarizing = (opening: Opening) =>
  summarizationMiddleware({
    // Its schema wants a model of zod 3's types.
    model: modelNamed(summarizerModel, opening) as never,
    trigger: { tokens: Math.floor(opening.windowTokens * 0.7) },
    keep: { tokens: Math.floor(opening.windowTokens * 0.3) },
  } as never) as AgentMiddleware

/** Nothing is removed: what a checkpointer alone does. */
const whole = () => createMiddleware({ name: 'Whole' })

export const trim = agents(trimming)
export const summarization = agents(summarizing)
export const checkpoints = agents(whole)
