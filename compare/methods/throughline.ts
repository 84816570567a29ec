/** Throughline with its default policy, through the public API: append, request a context, write it. */
import { join } from 'node:path'
import { createThroughline } from 'throughline'
import { openaiChat } from 'throughline/adapters'
import { sqlite } from 'throughline/stores/sqlite'
import { chatLoop } from '../chat-loop.ts'
import { agentModel, type OpenSession } from '../session.ts'

export const open: OpenSession = async (opening) => {
  const { windowTokens, system, tools, folder } = opening
  const card = {
    id: agentModel,
    contextWindowTokens: windowTokens,
    tokenizer: 'o200k_base',
  } as const
  const engine = createThroughline({
    store: sqlite(join(folder, 'throughline.db')),
    models: [card],
  })
  const chat = engine.conversation('compare')
  return chatLoop(opening, {
    append: async (messages) => {
      await chat.append(openaiChat.read({ messages: [...messages] } as never).messages)
    },
    shown: async () => {
      const context = await chat.context({ model: agentModel, system, tools: [...tools] })
      return openaiChat.write(context).messages
    },
    close: () => engine.close(),
  })
}
