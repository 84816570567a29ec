/** Mem0: facts that a model extracts from each turn, found again for the next; and the newest messages. */
import { join } from 'node:path'
import { Memory } from 'mem0ai/oss'
import { chatLoop } from '../chat-loop.ts'
import { openLog, tailFrom } from '../methods/naive.ts'
import { apiKey, type ChatMessage, type OpenSession, summarizerModel } from '../session.ts'

const userId = 'person'

export const facts: OpenSession = async (opening) => {
  const { summarizerUrl, embeddingsUrl, folder, system, windowTokens } = opening
  const memory = new Memory({
    llm: { provider: 'openai', config: { apiKey, model: summarizerModel, baseURL: summarizerUrl } },
    embedder: {
      provider: 'openai',
      config: {
        apiKey,
        model: 'text-embedding-3-small',
        baseURL: embeddingsUrl,
        embeddingDims: 256,
      },
    },
    vectorStore: {
      provider: 'memory',
      config: { collectionName: 'facts', dimension: 256, dbPath: join(folder, 'facts.db') },
    },
    historyDbPath: join(folder, 'history.db'),
  })
  const log = openLog(opening)
  let turn: ChatMessage[] = []
  let found = ''
  const loop = chatLoop(opening, {
    append: log.append,
    shown: () => [
      { role: 'system', content: `${system}\n\nMemories of earlier work:\n${found}` },
      ...log.messages.slice(tailFrom(log, windowTokens * 0.6)),
    ],
  })
  return {
    ...loop,
    turn: async (text) => {
      const { results } = await memory.search(text, { filters: { user_id: userId }, topK: 20 })
      found = results.map((each) => `- ${each.memory}`).join('\n')
      const from = log.messages.length
      await loop.turn(text)
      turn = log.messages
        .slice(from)
        .filter(({ role, content }) => role !== 'tool' && content !== null)
      await memory.add(
        turn.map(({ role, content }) => ({ role, content: content ?? '' })),
        { userId },
      )
    },
  }
}
