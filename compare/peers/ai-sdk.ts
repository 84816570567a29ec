/** The AI SDK with `pruneMessages` before each step, as its documents show it. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, jsonSchema, type ModelMessage, pruneMessages, tool } from 'ai'
import { agentModel, apiKey, type ChatMessage, type OpenSession } from '../session.ts'

export const prune: OpenSession = async ({ url, fetch, system, tools, runTool, folder }) => {
  const file = join(folder, 'messages.jsonl')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const messages: ModelMessage[] = lines.map((line) => JSON.parse(line))
  const append = (added: readonly ModelMessage[]) => {
    appendFileSync(file, added.map((message) => `${JSON.stringify(message)}\n`).join(''))
    for (const message of added) messages.push(message)
  }
  const model = createOpenAI({ baseURL: url, apiKey, fetch }).chat(agentModel)
  const toolSet = Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Record<string, unknown>>(parameters as never),
        execute: async (input) => runTool(name, input),
      }),
    ]),
  )
  return {
    load: async (loaded) => append(loaded.map(modelMessage)),
    turn: async (text) => {
      append([{ role: 'user', content: text }])
      const { responseMessages } = await generateText({
        model,
        system,
        messages,
        tools: toolSet,
        maxRetries: 1,
        stopWhen: isStepCount(100),
        prepareStep: ({ messages: step }) => ({
          messages: pruneMessages({
            messages: step,
            reasoning: 'all',
            toolCalls: 'before-last-2-messages',
            emptyMessages: 'remove',
          }),
        }),
      })
      append(responseMessages)
    },
    close: async () => {},
  }
}

function modelMessage(message: ChatMessage): ModelMessage {
  if (message.role === 'tool')
    return {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: message.tool_call_id,
          toolName: 'read_file',
          output: { type: 'text', value: message.content },
        },
      ],
    }
  if (message.role !== 'assistant') return { role: 'user', content: message.content }
  const text = message.content ?? ''
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...(message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: JSON.parse(input),
      })),
    ],
  }
}
