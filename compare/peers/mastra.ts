/** Mastra: an agent with semantic recall, or with observational memory, on LibSQL. */
import { join } from 'node:path'
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { ModelRouterEmbeddingModel } from '@mastra/core/llm'
import { Mastra } from '@mastra/core/mastra'
import { createTool } from '@mastra/core/tools'
import { LibSQLStore, LibSQLVector } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { z } from 'zod'
import {
  agentModel,
  apiKey,
  type ChatMessage,
  type Opening,
  type OpenSession,
  summarizerModel,
} from '../session.ts'

type Options = NonNullable<ConstructorParameters<typeof Memory>[0]>['options']
type Provider = ReturnType<typeof createOpenAI>

const thread = 'compare'
const resource = 'person'

const agents =
  (optionsOf: (opening: Opening, provider: Provider) => Options): OpenSession =>
  async (opening) => {
    const { url, embeddingsUrl, fetch, folder, system } = opening
    const provider = createOpenAI({ baseURL: url, apiKey, fetch })
    const storage = new LibSQLStore({ id: 'store', url: `file:${join(folder, 'mastra.db')}` })
    const vector = new LibSQLVector({ id: 'vector', url: `file:${join(folder, 'vectors.db')}` })
    const memory = new Memory({
      storage,
      vector,
      embedder: new ModelRouterEmbeddingModel({
        ...{ providerId: 'scripted', modelId: 'text-embedding-3-small' },
        ...{ url: embeddingsUrl, apiKey },
      }),
      options: optionsOf(opening, provider) ?? {},
    })
    const agent = new Agent({
      id: 'engineer',
      name: 'engineer',
      instructions: system,
      model: provider.chat(agentModel) as never,
      tools: toolsOf(opening),
      memory,
      maxRetries: 1,
    })
    new Mastra({ agents: { engineer: agent }, storage, logger: false })
    return {
      load: async (messages) => {
        await memory.createThread({ threadId: thread, resourceId: resource })
        for (let at = 0; at < messages.length; at += batch)
          await memory.saveMessages({
            messages: messages
              .slice(at, at + batch)
              .map((message, index) => stored(message, at + index)),
          })
      },
      turn: async (text) => {
        await agent.generate(text, { memory: { thread, resource }, maxSteps: 100 })
        await memory.settled()
      },
      close: async () => {},
    }
  }

const batch = 500

function toolsOf({ tools, runTool }: Opening) {
  return Object.fromEntries(
    tools.map(({ name, description }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: z.looseObject({}),
        execute: async (input) => runTool(name, input),
      }),
    ]),
  )
}

/** Mastra stores a call and its result in one message of the assistant, so loaded ones are plain text. */
function stored({ role, content, ...rest }: ChatMessage, index: number) {
  const text = content ?? JSON.stringify('tool_calls' in rest ? rest.tool_calls : '')
  return {
    id: `loaded-${index}`,
    threadId: thread,
    resourceId: resource,
    role: role === 'user' ? ('user' as const) : ('assistant' as const),
    createdAt: new Date(Date.UTC(2026, 0, 1) + index * 1000),
    content: { format: 2 as const, parts: [{ type: 'text' as const, text }] },
  }
}

/** The documented options: the last ten messages, and three hits with two neighbours each. */
export const recall = agents(() => ({
  lastMessages: 10,
  semanticRecall: { topK: 3, messageRange: 2 },
}))

/** In the same proportion as its defaults, 30,000 tokens of messages to 40,000 of observations. */
export const observational = agents(({ windowTokens }, provider) => ({
  observationalMemory: {
    model: provider.chat(summarizerModel) as never,
    observation: { messageTokens: Math.floor(windowTokens * 0.35), bufferTokens: false },
    reflection: { observationTokens: Math.floor(windowTokens * 0.4) },
  },
}))
