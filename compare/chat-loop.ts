/** The agent of methods that bring none: it asks the model, runs its calls, and asks again. */
import { agentModel, apiKey, type ChatMessage, type Opening, type Session } from './session.ts'

export interface Keeper {
  append(messages: readonly ChatMessage[]): void | Promise<void>
  /** The messages of the next request, with the system prompt. */
  shown(): readonly object[] | Promise<readonly object[]>
  close?(): void | Promise<void>
}

const messagesPerLoad = 500

type Reply = Extract<ChatMessage, { role: 'assistant' }>

export function chatLoop(opening: Opening, keeper: Keeper): Session {
  const { runTool } = opening
  return {
    load: async (messages) => {
      for (let at = 0; at < messages.length; at += messagesPerLoad)
        await keeper.append(messages.slice(at, at + messagesPerLoad))
    },
    turn: async (text) => {
      await keeper.append([{ role: 'user', content: text }])
      for (;;) {
        const reply = await replyTo(opening, await keeper.shown())
        const calls = reply.tool_calls ?? []
        await keeper.append([
          reply,
          ...calls.map(({ id, function: { name, arguments: input } }) => ({
            role: 'tool' as const,
            tool_call_id: id,
            content: runTool(name, JSON.parse(input)),
          })),
        ])
        if (calls.length === 0) return
      }
    },
    close: async () => keeper.close?.(),
  }
}

async function replyTo({ url, fetch, tools }: Opening, messages: readonly object[]) {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      model: agentModel,
      messages,
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { choices } = (await response.json()) as { readonly choices: readonly [{ message: Reply }] }
  const { content, tool_calls } = choices[0].message
  return { role: 'assistant', content, ...(tool_calls && { tool_calls }) } as const
}
