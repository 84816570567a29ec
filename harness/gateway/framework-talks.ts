/** The same conversation through the AI SDK and LangChain, which send chat completions. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type ModelMessage, streamText, type ToolSet, tool } from 'ai'
import { installedFolder } from '../clients/install.ts'
import type { Talk } from './sessions.ts'
import { question, resultOf, schema, system } from './talk-data.ts'

const tools: ToolSet = { read: tool({ description: 'Reads.', inputSchema: jsonSchema(schema) }) }

export const aiSdkTalk: Talk = async ({ url, key }, watched, turns) => {
  const provider = createOpenAI({
    ...{ baseURL: `${url}/v1`, apiKey: 'upstream-key', fetch: watched },
    headers: { 'x-throughline-key': key },
  })
  const messages: ModelMessage[] = []
  const ask = async (isStream: boolean) => {
    const asked = {
      ...{ model: provider.chat('small'), instructions: system, messages: [...messages] },
      ...{ maxOutputTokens: 1000, maxRetries: 0 },
      tools,
    }
    const answer = isStream ? streamText(asked) : await generateText(asked)
    const { messages: added } = await answer.response
    messages.push(...added)
    return (await answer.toolCalls)[0]
  }
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push({ role: 'user', content: question(turn) })
    const call = await ask(turn % 3 > 0)
    if (call === undefined) continue
    const { toolCallId, toolName } = call
    const output = { type: 'text', value: resultOf(turn) } as const
    messages.push({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output }],
    })
    await ask(turn % 3 > 0)
  }
}

/** What is used of `@langchain/openai`, which is too large for the lock file. */
interface LangChain {
  readonly ChatOpenAI: new (fields: object) => { bindTools(list: readonly object[]): Chat }
}

interface Chat {
  invoke(messages: readonly object[]): Promise<Reply>
  stream(messages: readonly object[]): Promise<AsyncIterable<Reply>>
}

interface Reply {
  readonly tool_calls?: readonly { readonly id: string; readonly name: string }[]
  concat(more: Reply): Reply
}

const langChainPackages = ['@langchain/openai@1.6.0', '@langchain/core@1.2.13']

export const langChainTalk: Talk = async ({ url, key }, watched, turns) => {
  const folder = await installedFolder('langchain-openai-1.6.0', langChainPackages)
  const path = createRequire(join(folder, 'package.json')).resolve('@langchain/openai')
  const { ChatOpenAI } = (await import(pathToFileURL(path).href)) as LangChain
  const client = new ChatOpenAI({
    ...{ model: 'small', apiKey: 'upstream-key', maxTokens: 1000, maxRetries: 0 },
    configuration: {
      ...{ baseURL: `${url}/v1`, fetch: watched },
      defaultHeaders: { 'x-throughline-key': key },
    },
  }).bindTools([{ type: 'function', function: { name: 'read', parameters: schema } }])
  const messages: object[] = [{ role: 'system', content: system }]
  const streamed = async () => {
    const chunks = await Array.fromAsync(await client.stream([...messages]))
    return chunks.reduce((whole, chunk) => whole.concat(chunk))
  }
  const ask = async (isStream: boolean) => {
    const reply = isStream ? await streamed() : await client.invoke([...messages])
    messages.push(reply)
    return reply.tool_calls?.[0]
  }
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push({ role: 'user', content: question(turn) })
    const call = await ask(turn % 3 > 0)
    if (call === undefined) continue
    messages.push({ role: 'tool', tool_call_id: call.id, content: resultOf(turn) })
    await ask(turn % 3 > 0)
  }
}
