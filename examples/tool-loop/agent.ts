/** An agent with tools: it calls the model until there is no more call. One conversation, one file. */
import { readdir, readFile } from 'node:fs/promises'
import OpenAI from 'openai'
import { createThroughline, recallToolSchemas, runRecallTool, type ToolSchema } from 'throughline'
import { openaiChat } from 'throughline/adapters'
import { sqlite } from 'throughline/stores/sqlite'
import { scripted } from './scripted.ts'

const client = process.env['OPENAI_API_KEY'] ? new OpenAI() : new OpenAI(scripted)
const model = 'gpt-5-mini'
const stepsMost = 20

const tl = createThroughline({ store: sqlite('agent.db'), policy: 'coding' })
const chat = tl.conversation('my-agent')

const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const tools: readonly ToolSchema[] = [
  { name: 'list_files', description: 'Lists the files of a folder.', parameters: path },
  { name: 'read_file', description: 'Reads a text file.', parameters: path },
  // With these two the model searches and opens what was compacted.
  ...recallToolSchemas(),
]

async function run(name: string, input: unknown): Promise<string> {
  const { path: at = '.' } = input as { readonly path?: string }
  try {
    if (name === 'list_files') return (await readdir(at)).join('\n')
    if (name === 'read_file') return await readFile(at, 'utf8')
    return (await runRecallTool(chat, name, input)) ?? `There is no tool ${name}.`
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : error}`
  }
}

/** One request; appends the answer and the results of its calls. Null while there are calls. */
async function step(): Promise<string | null> {
  const context = await chat.context({ model, tools, system: 'You answer questions on files.' })
  const reply = await client.chat.completions.create({ model, ...openaiChat.write(context) })
  const { messages } = openaiChat.read({ messages: reply.choices.map(({ message }) => message) })
  const measured = reply.usage && { usage: reply.usage, of: context.fingerprint }
  await chat.append(messages, measured)
  const { content, tool_calls: calls = [] } = reply.choices[0]?.message ?? {}
  for (const call of calls) {
    if (call.type !== 'function') continue
    const { name, arguments: input } = call.function
    console.log(`${name} ${input}`)
    const output = await run(name, JSON.parse(input))
    const result = { type: 'tool-result', callId: call.id, output } as const
    await chat.append({ role: 'tool', content: [result] })
  }
  return calls.length > 0 ? null : (content ?? '')
}

await chat.append({ role: 'user', content: process.argv[2] ?? 'Which files are here?' })
let answer: string | null = null
for (let steps = 0; answer === null && steps < stepsMost; steps += 1) answer = await step()
console.log(answer ?? `No answer after ${stepsMost} steps.`)
await tl.close()
