/** A chat of any length: each line is a message. It is stored, and continues where it ended. */
import { createInterface } from 'node:readline'
import OpenAI from 'openai'
import { createThroughline } from 'throughline'
import { openaiChat } from 'throughline/adapters'
import { sqlite } from 'throughline/stores/sqlite'
import { scripted } from './scripted.ts'

const client = process.env['OPENAI_API_KEY'] ? new OpenAI() : new OpenAI(scripted)
const model = 'gpt-5-mini'
const tl = createThroughline({ store: sqlite('chat.db') })
const chat = tl.conversation('my-chat')

for await (const line of createInterface({ input: process.stdin })) {
  await chat.append({ role: 'user', content: line })
  const context = await chat.context({ model, system: 'You are a helpful assistant.' })
  const reply = await client.chat.completions.create({ model, ...openaiChat.write(context) })
  const answer = reply.choices.map(({ message }) => message)
  const { messages } = openaiChat.read({ messages: answer })
  const measured = reply.usage && { usage: reply.usage, of: context.fingerprint }
  await chat.append(messages, measured)
  console.log(`${answer[0]?.content}  (${context.tokens} of ${context.available} tokens)`)
}
await tl.close()
