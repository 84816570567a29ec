/** Mastra: an agent with our processor. Its history comes from the application, as it would from Mastra's memory. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { throughlineProcessor } from 'throughline/mastra'
import { z } from 'zod'
import type { Door, DoorTable } from '../doors.ts'
import { conversation, engineOn, instructions, modelName, questionOf, runTool } from '../script.ts'

const read = createTool({
  id: 'read',
  description: 'Reads a file of the repository.',
  inputSchema: z.object({ path: z.string() }),
  execute: async (input) => runTool('read', input),
})
const search = createTool({
  id: 'search',
  description: 'Finds lines in the repository.',
  inputSchema: z.object({ pattern: z.string() }),
  execute: async (input) => runTool('search', input),
})

type Messages = Parameters<Agent['generate']>[0]

const agents =
  (stream: boolean): Door =>
  async ({ url, database, memory, from, to }) => {
    const engine = engineOn(database)
    const processor = throughlineProcessor({ engine, conversation, model: modelName })
    const agent = new Agent({
      id: 'engineer',
      name: 'engineer',
      instructions,
      model: { id: `local/${modelName}`, url, apiKey: 'test-key' },
      tools: { read, search },
      inputProcessors: [processor],
    })
    let history = existsSync(memory) ? (JSON.parse(readFileSync(memory, 'utf8')) as object[]) : []
    for (let turn = from; turn < to; turn += 1) {
      history = [...history, { role: 'user', content: questionOf(turn) }]
      const options = { maxSteps: 10 }
      const result = stream
        ? await agent.stream(history as Messages, options)
        : await agent.generate(history as Messages, options)
      if ('consumeStream' in result) await result.consumeStream()
      const { messages } = await result.response
      history = [...history, ...(messages ?? [])]
    }
    writeFileSync(memory, JSON.stringify(history))
    await engine.close()
  }

export const doors: DoorTable = { mastra: agents(false), 'mastra-stream': agents(true) }
