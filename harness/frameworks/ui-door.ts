/** A chat route of the AI SDK: each request loads the page's messages from the log, and adds the new one. */
import { createOpenAI } from '@ai-sdk/openai'
import {
  convertToModelMessages,
  isStepCount,
  jsonSchema,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
  wrapLanguageModel,
} from 'ai'
import { throughlineMiddleware, uiMessages } from 'throughline/ai-sdk'
import type { Door } from './doors.ts'
import {
  conversation,
  engineOn,
  instructions,
  modelName,
  questionOf,
  runTool,
  toolSchemas,
} from './script.ts'

const play: Door = async ({ url, database, from, to }) => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const engine = engineOn(database)
  const openai = createOpenAI({ apiKey: 'test-key', baseURL: url })
  const middleware = throughlineMiddleware({ engine, conversation, model: modelName })
  const model = wrapLanguageModel({ model: openai.chat(modelName), middleware })
  const tools: ToolSet = Object.fromEntries(
    Object.entries(toolSchemas).map(([name, { description, parameters }]) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Record<string, unknown>>(structuredClone(parameters) as never),
        execute: async (input) => runTool(name, input),
      }),
    ]),
  )
  for (let turn = from; turn < to; turn += 1) {
    const text = questionOf(turn)
    const message: UIMessage = { id: `${turn}`, role: 'user', parts: [{ type: 'text', text }] }
    const page: UIMessage[] = [...(await uiMessages(engine.conversation(conversation))), message]
    const result = streamText({
      model,
      instructions,
      messages: await convertToModelMessages(page, { tools }),
      tools,
      stopWhen: isStepCount(10),
      maxRetries: 0,
    })
    await result.consumeStream()
    await result.text
  }
  await engine.close()
}

export const uiDoors: Readonly<Record<string, Door>> = { 'ai-sdk-ui': play }
