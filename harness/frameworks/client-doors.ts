/** The official clients of OpenAI and Anthropic, wrapped in one line; histories are kept by the application. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { withThroughline } from 'throughline/clients'
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

/** One request, and the results of its calls; false if there were none. */
type Step<Message> = (history: Message[], turn: number) => Promise<boolean>

/** Turns that continue the application's own history in a file. */
function turnsOf<Message>(
  connect: (options: {
    readonly url: string
    readonly engine: ReturnType<typeof engineOn>
  }) => Step<Message>,
): Door {
  return async ({ url, database, memory, from, to }) => {
    const engine = engineOn(database)
    const history = existsSync(memory)
      ? (JSON.parse(readFileSync(memory, 'utf8')) as Message[])
      : []
    const step = connect({ url, engine })
    for (let turn = from; turn < to; turn += 1) {
      history.push({ role: 'user', content: questionOf(turn) } as Message)
      while (await step(history, turn));
    }
    writeFileSync(memory, JSON.stringify(history))
    await engine.close()
  }
}

type ChatMessage = OpenAI.Chat.ChatCompletionMessageParam

export const chat = (streamed: boolean, Client = OpenAI) =>
  turnsOf<ChatMessage>(({ url, engine }) => {
    const client = withThroughline(new Client({ baseURL: url, apiKey: 'test-key' }), {
      engine,
      conversation,
    })
    const tools = Object.entries(toolSchemas).map(([name, schema]) => ({
      type: 'function' as const,
      function: { name, ...schema },
    }))
    return async (history) => {
      const body = {
        model: modelName,
        messages: [{ role: 'system' as const, content: instructions }, ...history],
        tools,
      }
      const completion = streamed
        ? await client.chat.completions
            .stream({ ...body, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await client.chat.completions.create(body)
      const message = completion.choices[0]?.message
      if (message === undefined) throw new Error('no choice')
      history.push(message)
      for (const call of message.tool_calls ?? []) {
        if (call.type !== 'function') continue
        const content = runTool(call.function.name, JSON.parse(call.function.arguments))
        history.push({ role: 'tool', tool_call_id: call.id, content })
      }
      return (message.tool_calls ?? []).length > 0
    }
  })

export const responses = (streamed: boolean, Client = OpenAI) =>
  turnsOf<OpenAI.Responses.ResponseInputItem>(({ url, engine }) => {
    const client = withThroughline(new Client({ baseURL: url, apiKey: 'test-key' }), {
      engine,
      conversation,
    })
    const tools = Object.entries(toolSchemas).map(([name, schema]) => ({
      type: 'function' as const,
      name,
      strict: true,
      ...schema,
    }))
    return async (history) => {
      const body = { model: modelName, instructions, input: history, tools, store: false }
      const response = streamed
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body)
      let called = false
      for (const item of response.output) {
        history.push(item as OpenAI.Responses.ResponseInputItem)
        if (item.type !== 'function_call') continue
        called = true
      }
      for (const item of response.output)
        if (item.type === 'function_call') {
          const output = runTool(item.name, JSON.parse(item.arguments))
          history.push({ type: 'function_call_output', call_id: item.call_id, output })
        }
      return called
    }
  })

export const messages = (streamed: boolean, Client = Anthropic) =>
  turnsOf<Anthropic.MessageParam>(({ url, engine }) => {
    const base = new Client({ baseURL: url.replace(/\/v1$/, ''), apiKey: 'test-key' })
    const client = withThroughline(base, { engine, conversation })
    const tools = Object.entries(toolSchemas).map(([name, { description, parameters }]) => ({
      name,
      description,
      // The package wants lists that it may change.
      input_schema: structuredClone(parameters) as unknown as Anthropic.Tool.InputSchema,
    }))
    return async (history) => {
      const body = {
        model: modelName,
        max_tokens: 1024,
        system: instructions,
        messages: history,
        tools,
      }
      const { content } = streamed
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body)
      history.push({ role: 'assistant', content })
      const calls = content.filter((block) => block.type === 'tool_use')
      if (calls.length === 0) return false
      history.push({
        role: 'user',
        content: calls.map(({ id, name, input }) => ({
          type: 'tool_result' as const,
          tool_use_id: id,
          content: runTool(name, input as Record<string, unknown>),
        })),
      })
      return true
    }
  })

export const clientDoors: Readonly<Record<string, Door>> = {
  'openai-chat': chat(false),
  'openai-chat-stream': chat(true),
  'openai-responses': responses(false),
  'openai-responses-stream': responses(true),
  anthropic: messages(false),
  'anthropic-stream': messages(true),
}
