/** LangChain: an agent with our middleware, whose state is kept by a checkpointer, and a graph of its own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { MemorySaver } from '@langchain/langgraph'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { langchainMiddleware } from 'throughline/langchain'
import { z } from 'zod'
import type { Door, DoorTable } from '../doors.ts'
import { conversation, engineOn, instructions, modelName, questionOf, runTool } from '../script.ts'
import { startPostgres } from './postgres.ts'

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

interface Saver {
  readonly checkpointer: MemorySaver | PostgresSaver
  close(): Promise<void>
}

const agents =
  (api: 'chat' | 'responses', open: (memory: string) => Promise<Saver>): Door =>
  async ({ url, database, memory, from, to }) => {
    const engine = engineOn(database)
    const model = new ChatOpenAI({
      model: modelName,
      apiKey: 'test-key',
      maxRetries: 0,
      useResponsesApi: api === 'responses',
      configuration: { baseURL: url },
    })
    const { checkpointer, close } = await open(memory)
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
    await close()
    await engine.close()
  }

/** The saver in memory is written to a file, so that another process continues with it. */
async function inMemory(file: string): Promise<Saver> {
  const checkpointer = new MemorySaver()
  if (existsSync(file)) Object.assign(checkpointer, revive(readFileSync(file, 'utf8')))
  return { checkpointer, close: async () => saveIn(file, checkpointer) }
}

/** A cluster beside the file, started by each process. */
async function inPostgres(file: string): Promise<Saver> {
  const server = await startPostgres(`${file}.postgres`)
  const checkpointer = PostgresSaver.fromConnString(server.url)
  await checkpointer.setup()
  return {
    checkpointer,
    close: async () => {
      await checkpointer.end()
      await server.stop()
    },
  }
}

function saveIn(file: string, { storage }: MemorySaver): void {
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
  langchain: agents('chat', inMemory),
  'langchain-responses': agents('responses', inMemory),
  'langchain-postgres': agents('chat', inPostgres),
}
