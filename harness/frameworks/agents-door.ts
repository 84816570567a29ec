/** The OpenAI Agents SDK: `run` with our session and filter, by chat completions and by responses. */
import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import OpenAI from 'openai'
import { throughlineSession } from 'throughline/openai-agents'
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

setTracingDisabled(true)

const agents =
  (api: 'chat' | 'responses', stream: boolean): Door =>
  async ({ url, database, from, to }) => {
    const engine = engineOn(database)
    const client = new OpenAI({ baseURL: url, apiKey: 'test-key', maxRetries: 0 })
    const tools = Object.entries(toolSchemas).map(([name, { description, parameters }]) =>
      tool({
        name,
        description,
        strict: true,
        // The package wants lists that it may change.
        parameters: structuredClone(parameters) as never,
        execute: async (input) => runTool(name, input as Record<string, unknown>),
      }),
    )
    const model =
      api === 'chat'
        ? new OpenAIChatCompletionsModel(client, modelName)
        : new OpenAIResponsesModel(client, modelName)
    const agent = new Agent({ name: 'engineer', instructions, tools, model })
    const session = throughlineSession({ engine, conversation, model: modelName })
    const { callModelInputFilter } = session
    const runner = new Runner({ tracingDisabled: true })
    for (let turn = from; turn < to; turn += 1)
      if (stream) {
        const result = await runner.run(agent, questionOf(turn), {
          session,
          callModelInputFilter,
          stream: true,
        })
        await result.completed
      } else await runner.run(agent, questionOf(turn), { session, callModelInputFilter })
    await engine.close()
  }

export const agentDoors: Readonly<Record<string, Door>> = {
  'openai-agents': agents('responses', false),
  'openai-agents-chat': agents('chat', false),
  'openai-agents-stream': agents('responses', true),
}
