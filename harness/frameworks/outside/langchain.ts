/** LangChain: an agent with our middleware, whose state is kept by a checkpointer, and a graph of its own. */
import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { langchainMiddleware } from 'throughline/langchain'
import { z } from 'zod'
import type { Door, DoorTable } from '../doors.ts'
import { conversation, engineOn, instructions, modelName, questionOf, runTool } from '../script.ts'

const tools = [
  tool(async (input) => runTool('read', input), {
    name: 'read',
    description: 'Reads a file of the repository.',
    schema: z.object({ path: z.string() }),
  }),
  tool(async (input) => runTool('search', input), {
    name: 'search',
    description: 'Finds lines in the repository.',
    schema: z.object({ pattern: z.string() }),
  }),
]

const agents =
  (api: 'chat' | 'responses'): Door =>
  async ({ url, database, memory, from, to }) => {
    const engine = engineOn(database)
    const model = new ChatOpenAI({
      model: modelName,
      apiKey: 'test-key',
      maxRetries: 0,
      useResponsesApi: api === 'responses',
      configuration: { baseURL: url },
    })
    const checkpointer = await saverIn(memory)
    const middleware = [langchainMiddleware({ engine })]
    const agent = createAgent({
      model,
      tools,
      systemPrompt: instructions,
      checkpointer,
      middleware,
    })
    const config = { configurable: { thread_id: conversation } }
    for (let turn = from; turn < to; turn += 1)
      await agent.invoke({ messages: [{ role: 'user', content: questionOf(turn) }] }, config)
    await saveIn(memory, checkpointer)
    await engine.close()
  }

/** The saver in memory is written to a file, so that another process goes on with it. */
async function saverIn(file: string): Promise<MemorySaver> {
  const { existsSync, readFileSync } = await import('node:fs')
  const saver = new MemorySaver()
  if (existsSync(file)) Object.assign(saver, revive(readFileSync(file, 'utf8')))
  return saver
}

async function saveIn(file: string, { storage }: MemorySaver): Promise<void> {
  const { writeFileSync } = await import('node:fs')
  // Only the last checkpoint is needed, and all of them would be hundreds of copies.
  const text = JSON.stringify({ storage: newest(storage), writes: {} }, (_, value: unknown) =>
    value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value,
  )
  writeFileSync(file, text)
}

function newest(storage: MemorySaver['storage']): MemorySaver['storage'] {
  return Object.fromEntries(
    Object.entries(storage).map(([thread, spaces]) => [
      thread,
      Object.fromEntries(
        Object.entries(spaces).map(([space, checkpoints]) => [
          space,
          Object.fromEntries(Object.entries(checkpoints).sort().slice(-1)),
        ]),
      ),
    ]),
  )
}

function revive(text: string): object {
  return JSON.parse(text, (_, value: unknown) => {
    const { bytes } = (value ?? {}) as { readonly bytes?: string }
    return typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : value
  })
}

export const doors: DoorTable = {
  langchain: agents('chat'),
  'langchain-responses': agents('responses'),
}
